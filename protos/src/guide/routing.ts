import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

const RECONNECT = 'Ask whoever runs the gateway to reconnect it (`npx parley connections update`).';

/** Which account and which project (spec §4.1). */
export const ROUTING = {
  ACCOUNT_NOT_CONNECTED: {
    meaning: 'The workspace has no account for this.',
    cause: 'No chat account has been connected, or all of them are disabled.',
    remedy: 'Ask whoever runs the gateway to connect one. `GET /v1/capabilities` tells beforehand what can be used.',
  },
  ACCOUNT_NOT_ACTIVE: {
    meaning: 'The account that is needed is disabled or not set up.',
    cause: 'The account was chosen by header or id, or the conversation or project stays on it.',
    remedy: 'Choose another one of `GET /v1/connections`, or ask for this one to be enabled.',
  },
  UPSTREAM_ACCOUNT_NOT_AUTHORIZED: {
    meaning: 'The account’s plan does not include this.',
    cause:
      'The upstream refused with “upgrade required”, usually because the tier takes no files into projects, or its key is restricted and lacks a permission.',
    remedy:
      'Attach the file to a conversation instead, or choose another account. `GET /v1/capabilities` shows it as `upstream_not_authorized` from then on.',
  },
  ACCOUNT_REAUTH_REQUIRED: {
    meaning: 'The upstream no longer accepts the session of the account; this request found out.',
    cause: 'The provider has ended the session, or its password or key was changed.',
    remedy: `${RECONNECT} New conversations go to other accounts meanwhile.`,
  },
  ACCOUNT_REAUTH_REQUIRED_SELECTED: {
    meaning: 'The account that was chosen is known to be signed out.',
    cause: 'An earlier request found its session expired, and nobody has reconnected it.',
    remedy: `Choose another account, or none. ${RECONNECT}`,
  },
  NO_HEALTHY_SESSION: {
    meaning: 'There are accounts, but none can be used at this moment.',
    cause:
      'All of them are limited by their provider, taking a rest after failures, signed out, or do not have the model. It does not prove that any session is dead.',
    remedy: 'Look at `status`, `health` and `cooldown_seconds` of `GET /v1/connections`.',
    retry: 'Not at once. When `cooldown_seconds` of an account has passed, it is worth another try.',
  },
  UPSTREAM_PROJECT_NOT_FOUND: {
    meaning: 'No active upstream project has this slug.',
    cause: '`X-Service-Upstream-Project` takes the `slug` of a project, not its id or name.',
    remedy: 'Choose a `slug` of `GET /v1/projects`.',
  },
  UPSTREAM_PROJECT_OUT_OF_SCOPE: {
    meaning: 'The project exists, but this workspace may not select it.',
    cause: 'It is not bound to the workspace.',
    remedy: 'Ask whoever runs the gateway to bind it (`npx parley projects bind`).',
  },
  UPSTREAM_PROJECT_NOT_CONFIGURED: {
    meaning: 'The conversation must begin in an upstream project, and there is none to begin in.',
    cause: 'The internal project forbids the general space, no project was selected, and the workspace has no default one.',
    remedy: 'Select one with `X-Service-Upstream-Project`, or ask for a default one (`npx parley projects set-default`).',
  },
  INTERNAL_PROJECT_NOT_FOUND: {
    meaning: 'No internal project has this slug.',
    cause: '`X-Service-Project` takes the slug of a project that whoever runs the gateway has set up; those of `/v1/projects` are others.',
    remedy: 'Leave the header out, or ask for the slug.',
  },
  INTERNAL_PROJECT_OUT_OF_SCOPE: {
    meaning: 'The key is bound to another internal project.',
    cause: 'A key that was made for an internal project may name no other in `X-Service-Project`.',
    remedy: 'Leave the header out: the key’s own project then holds.',
  },
  WRONG_PROJECT_HEADER: {
    meaning: 'An upstream project was named in the header of the internal ones.',
    cause: 'The slug in `X-Service-Project` is that of an upstream project.',
    remedy: 'Send it as `X-Service-Upstream-Project`.',
  },
  ROUTE_PROFILE_NOT_FOUND: {
    meaning: 'There is no such route profile.',
    cause: 'The slug in `X-Service-Route-Profile` is unknown in this workspace.',
    remedy: 'Leave the header out, or ask for the slug.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
