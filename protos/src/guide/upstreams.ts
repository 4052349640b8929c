import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

const UNSURE =
  'Yes, with increasing delays. The gateway posts a turn that is repeated unchanged within the same conversation only once; for other writes, read first whether they were done.';

/** Conditions of upstream providers. */
export const UPSTREAM_GUIDE = {
  PROVIDER_RATE_LIMITED: {
    meaning: 'The provider limits this account.',
    cause:
      'The upstream of a chat, a speech or a transcription has answered 429, now or within the last five minutes, or the account has so many turns in progress that no more may wait.',
    remedy: 'Send fewer requests, connect more accounts, or let the gateway choose the connection. Reconnecting the account does not help.',
    retry:
      'Yes, after `Retry-After`. For more than a minute the gateway sends `x-should-retry: false`, because SDKs would retry too early.',
  },
  PROVIDER_UNAVAILABLE: {
    meaning: 'The provider is unreachable.',
    cause: 'The provider refused or closed the connection, or answered 503.',
    remedy: 'The request itself is fine. `GET /v1/connections` shows the state of the connections.',
    retry: UNSURE,
  },
  PROVIDER_BAD_ANSWER: {
    meaning: 'The provider’s answer cannot be used.',
    cause: 'The upstream has failed (500, an error page) or has ended its answer early.',
    remedy: 'The request itself is fine. The conversation’s messages have the part of the answer that arrived.',
    retry: UNSURE,
  },
  PROVIDER_NO_CREDIT: {
    meaning: 'The account has no credit left at the provider.',
    cause:
      'The upstream has answered 402, or that the quota of the account is used up. The gateway tried other connections where the turn may use them.',
    remedy:
      'The operator adds credit at the provider, or connects another account. The connection is in a cooldown meanwhile, and the gateway probes it.',
    retry: UNSURE,
  },
  PROVIDER_MODEL_NOT_FOUND: {
    meaning: 'The provider does not know the model.',
    cause: 'The upstream has answered 404 for it, although it listed the model before. The model is in a cooldown on that connection.',
    remedy: 'Choose another model from `GET /v1/models`, or `auto`.',
  },
  PROVIDER_FORBIDDEN: {
    meaning: 'The provider forbids the request.',
    cause: 'The upstream has answered 403. The gateway probes whether it still accepts the credentials of the account.',
    remedy: 'Choose another model or connection. If all requests are forbidden, the operator checks the account at the provider.',
  },
  PROVIDER_REJECTED_REQUEST: {
    meaning: 'The provider rejects the request.',
    cause: 'The upstream has answered 400, 413 or 422: the message says whether the cause is length, content or a parameter.',
    remedy: 'Change the request as the message says.',
  },
  PROVIDER_TIMEOUT: {
    meaning: 'The provider did not answer in time.',
    cause: 'It has not accepted the turn, or paused in its answer, for a minute.',
    remedy: 'Read the conversation’s messages before you send the turn again: the provider may have answered.',
    retry: UNSURE,
  },
  IMAGE_GENERATION_UNAVAILABLE: {
    meaning: 'The upstream generates no image for this account.',
    cause: 'The account’s plan does not include images, or its image quota is used up.',
    remedy: 'Choose another connection, or continue without images; text works as before. The session of the account is valid.',
  },
  UPLOAD_FAILED: {
    meaning: 'The file could not be uploaded to the upstream.',
    cause: 'The upstream failed while it received the file, or the gateway could not store it. No part of the file was kept.',
    remedy: 'Send the file again.',
    retry: 'Yes: a failed upload leaves nothing behind.',
  },
  PROJECT_CREATE_FAILED: {
    meaning: 'The upstream did not create the project.',
    cause: 'The upstream failed, or its answer was lost.',
    remedy: 'Read `GET /v1/projects`, then create it again.',
    retry: 'Yes, after reading the list.',
  },
  PROJECT_UPDATE_FAILED: {
    meaning: 'The upstream did not change the project or its files.',
    cause: 'The upstream failed, or its answer was lost.',
    remedy: 'Read the project, then repeat the change.',
    retry: 'Yes: the change sets the desired state, so it can be repeated.',
  },
  PROJECT_ALREADY_EXISTS: {
    meaning: 'The account already has a project of this name.',
    cause: 'The gateway compares names by their slugs, so “My Doors” and “my-doors” are the same.',
    remedy: 'Use the existing project, or another name.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
