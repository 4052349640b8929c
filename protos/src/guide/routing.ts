import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

const RECONNECT = 'Ask the operator to reconnect it (`npx parley connections update`).';

/** Conditions of choosing a connection and a project. */
export const ROUTING_GUIDE = {
  ACCOUNT_NOT_CONNECTED: {
    meaning: 'The workspace has no connection for this.',
    cause: 'No chat account is connected, or all connections are disabled.',
    remedy: 'Ask the operator to connect one. `GET /v1/capabilities` shows what is available.',
  },
  ACCOUNT_NOT_ACTIVE: {
    meaning: 'The required connection is disabled or not set up.',
    cause: 'The request chose the connection by header or id, or the conversation or project is bound to it.',
    remedy: 'Choose another one of `GET /v1/connections`, or ask the operator to enable this one.',
  },
  UPSTREAM_ACCOUNT_NOT_AUTHORIZED: {
    meaning: 'The account’s plan does not include this.',
    cause:
      'The upstream answered “upgrade required”, usually because the tier accepts no files in projects, or the key is restricted and lacks a permission.',
    remedy:
      'Attach the file to a conversation instead, or choose another connection. From then on `GET /v1/capabilities` shows it as `upstream_not_authorized`.',
  },
  ACCOUNT_REAUTH_REQUIRED: {
    meaning: 'The upstream no longer accepts the session of the connection; this request detected it.',
    cause: 'The provider has ended the session, or its password or key was changed.',
    remedy: `${RECONNECT} New conversations use other connections meanwhile.`,
  },
  ACCOUNT_REAUTH_REQUIRED_SELECTED: {
    meaning: 'The session of the chosen connection has expired.',
    cause: 'An earlier request found its session expired, and the connection has not been reconnected.',
    remedy: `Choose another connection, or none. ${RECONNECT}`,
  },
  NO_HEALTHY_SESSION: {
    meaning: 'The workspace has connections, but none can be used at this moment.',
    cause:
      'All of them are limited by their provider, in a cooldown after failures, signed out, or without the model. It does not prove that a session has ended.',
    remedy: 'Check `status`, `health` and `cooldown_seconds` of `GET /v1/connections`.',
    retry: 'Not at once. Retry when the `cooldown_seconds` of a connection have passed.',
  },
  UPSTREAM_PROJECT_NOT_FOUND: {
    meaning: 'No active upstream project has this slug.',
    cause: '`X-Service-Upstream-Project` takes the `slug` of a project, not its id or name.',
    remedy: 'Choose a `slug` of `GET /v1/projects`.',
  },
  UPSTREAM_PROJECT_OUT_OF_SCOPE: {
    meaning: 'The project exists, but this workspace may not select it.',
    cause: 'The project is not bound to the workspace.',
    remedy: 'Ask the operator to bind it (`npx parley projects bind`).',
  },
  UPSTREAM_PROJECT_NOT_CONFIGURED: {
    meaning: 'The conversation requires an upstream project, and none is configured.',
    cause: 'The internal project forbids the general space, the request selects no project, and the workspace has no default one.',
    remedy: 'Select one with `X-Service-Upstream-Project`, or ask the operator for a default one (`npx parley projects set-default`).',
  },
  INTERNAL_PROJECT_NOT_FOUND: {
    meaning: 'No internal project has this slug.',
    cause:
      '`X-Service-Project` takes the slug of an internal project, which the operator has set up; those of `/v1/projects` are upstream projects.',
    remedy: 'Leave the header out, or ask the operator for the slug.',
  },
  INTERNAL_PROJECT_OUT_OF_SCOPE: {
    meaning: 'The key is bound to another internal project.',
    cause: 'A key that was created for an internal project may name no other in `X-Service-Project`.',
    remedy: 'Leave the header out: the key’s own project then applies.',
  },
  WRONG_PROJECT_HEADER: {
    meaning: 'The header of internal projects names an upstream project.',
    cause: 'The slug in `X-Service-Project` belongs to an upstream project.',
    remedy: 'Send it as `X-Service-Upstream-Project`.',
  },
  ROUTE_PROFILE_NOT_FOUND: {
    meaning: 'The route profile does not exist.',
    cause: 'The slug in `X-Service-Route-Profile` is unknown in this workspace.',
    remedy: 'Leave the header out, or ask the operator for the slug.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
