import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

/** Who may ask (spec §5). */
export const AUTHENTICATION = {
  MISSING_API_KEY: {
    meaning: 'The request carries no API key.',
    cause: 'There is no `Authorization` header. A key in `X-Api-Key`, in the query or in the body is not looked at.',
    remedy: 'Send `Authorization: Bearer gmk_live_…`. Proxies in between must pass the header on.',
  },
  INVALID_API_KEY: {
    meaning: 'Nobody has this API key.',
    cause: 'The key was mistyped, cut off, belongs to another gateway, or the header has another scheme than `Bearer`.',
    remedy:
      'Compare the key with the one that was shown when it was made; it cannot be shown again. Whoever runs the gateway can make a new one.',
  },
  EXPIRED_API_KEY: {
    meaning: 'The time of this API key is over.',
    cause: 'The key was made with an end, and that has passed.',
    remedy: 'Ask for a new key. Long-lived programs should be given theirs before the old one ends.',
  },
  REVOKED_API_KEY: {
    meaning: 'This API key was taken back.',
    cause: 'Whoever runs the gateway has revoked it; that takes effect within a second.',
    remedy: 'Stop using it and ask for a new one.',
  },
  USER_NOT_ACTIVE: {
    meaning: 'The user whose key this is has been disabled.',
    cause: 'The key itself is in order, its owner is not.',
    remedy: 'Ask whoever runs the gateway to enable the user, or use the key of another one.',
  },
  MISSING_SCOPE: {
    meaning: 'The key is valid, but not for this operation.',
    cause:
      'Operations need a scope: `chat`, `conversations`, `audio`, `actions:read` or `actions:run`. `error.param` names the one that is missing.',
    remedy: 'Use a key with that scope. The scopes of a key cannot be changed; make another key.',
  },
  WORKSPACE_DISABLED: {
    meaning: 'The workspace of this key has been disabled.',
    cause: 'Whoever runs the gateway has closed the workspace, with all of its keys.',
    remedy: 'Ask for the workspace to be enabled again.',
  },
  TENANT_ACCESS_DENIED: {
    meaning: 'This key may not do this in this workspace.',
    cause:
      'Something of another workspace was named, such as its account; or the operator key, which is of no workspace, asked for what needs one; or a ' +
      'workspace’s key asked for what only the operator may do.',
    remedy: 'Use a key of the workspace that it is about.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
