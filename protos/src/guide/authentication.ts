import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of authentication and authorization. */
export const AUTHENTICATION_GUIDE = {
  MISSING_API_KEY: {
    meaning: 'The request carries no API key.',
    cause: 'The `Authorization` header is missing. The gateway does not read a key in `X-Api-Key`, in the query or in the body.',
    remedy: 'Send `Authorization: Bearer gmk_live_…`. Proxies between client and gateway must pass the header on.',
  },
  INVALID_API_KEY: {
    meaning: 'This API key does not exist.',
    cause: 'The key is mistyped, truncated or belongs to another gateway, or the header has another scheme than `Bearer`.',
    remedy: 'Compare the key with the one that was shown when it was created; it cannot be shown again. The operator can create a new one.',
  },
  EXPIRED_API_KEY: {
    meaning: 'This API key has expired.',
    cause: 'The key was created with an expiry time, which has passed.',
    remedy: 'Ask the operator for a new key. Give long-lived programs their next key before the old one expires.',
  },
  REVOKED_API_KEY: {
    meaning: 'This API key has been revoked.',
    cause: 'The operator has revoked the key; that takes effect within a second.',
    remedy: 'Stop using it and ask the operator for a new one.',
  },
  USER_NOT_ACTIVE: {
    meaning: 'The user who owns this key has been disabled.',
    cause: 'The key itself is valid, its owner is not active.',
    remedy: 'Ask the operator to enable the user, or use the key of another user.',
  },
  MISSING_SCOPE: {
    meaning: 'The key is valid but lacks the scope of this operation.',
    cause:
      'Operations require a scope: `chat`, `conversations`, `audio`, `actions:read` or `actions:run`. `error.param` names the missing one.',
    remedy: 'Use a key with that scope. The scopes of a key cannot be changed; create another key.',
  },
  WORKSPACE_DISABLED: {
    meaning: 'The workspace of this key has been disabled.',
    cause: 'The operator has disabled the workspace with all of its keys.',
    remedy: 'Ask the operator to enable the workspace.',
  },
  TENANT_ACCESS_DENIED: {
    meaning: 'This key may not do this in this workspace.',
    cause:
      'The request names a resource of another workspace, such as its connection; or the operator key, which belongs to no workspace, was used for an ' +
      'operation that requires one; or the key of a workspace was used for an operation of the operator.',
    remedy: 'Use a key of the workspace that owns the resource.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
