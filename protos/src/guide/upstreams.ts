import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

const UNSURE =
  'Yes, with growing pauses. Within the same conversation a turn that is sent again as it was is not posted twice; with other writes look first whether they were done.';

/** What upstream providers did, or did not (spec §6, §7). */
export const UPSTREAMS = {
  PROVIDER_RATE_LIMITED: {
    meaning: 'The provider limits this account.',
    cause:
      'The upstream of a chat, a speech or a transcription has answered 429, now or within the last five minutes, or so many turns of the account are under way that no more may wait.',
    remedy: 'Slow down, connect more accounts, or leave the choice of the account to the gateway. Reconnecting the account does not help.',
    retry: 'Yes, after `Retry-After`. Over a minute `x-should-retry: false` is sent, because SDKs would try again too early.',
  },
  PROVIDER_UNAVAILABLE: {
    meaning: 'The provider cannot be reached.',
    cause: 'The connection was refused or broke, or the upstream has answered 503.',
    remedy: 'Nothing in the request is wrong. `GET /v1/connections` shows how the accounts are.',
    retry: UNSURE,
  },
  PROVIDER_BAD_ANSWER: {
    meaning: 'The provider answered with something that is no answer.',
    cause: 'The upstream has failed (500, an error page) or has broken off in the middle.',
    remedy: 'Nothing in the request is wrong. What had come of the answer stands in the conversation’s messages.',
    retry: UNSURE,
  },
  PROVIDER_NO_CREDIT: {
    meaning: 'The account has no credit left at the provider.',
    cause:
      'The upstream has answered 402, or that the quota of the account is spent. Other connections were tried where the turn may go there.',
    remedy:
      'The operator adds credit at the provider, or connects another account. The connection rests and is probed by the gateway meanwhile.',
    retry: UNSURE,
  },
  PROVIDER_MODEL_NOT_FOUND: {
    meaning: 'The provider does not know the model.',
    cause: 'The upstream has answered 404 for it, although it listed the model before. The model rests on that connection.',
    remedy: 'Choose another model from `GET /v1/models`, or `auto`.',
  },
  PROVIDER_FORBIDDEN: {
    meaning: 'The provider forbids the request.',
    cause: 'The upstream has answered 403. The gateway probes whether it still accepts the credentials of the account.',
    remedy: 'Choose another model or connection. Where all requests are forbidden, the operator checks the account at the provider.',
  },
  PROVIDER_REJECTED_REQUEST: {
    meaning: 'The provider rejects the request.',
    cause: 'The upstream has answered 400, 413 or 422: the message says whether it is about length, content or a parameter.',
    remedy: 'Change the request as the message says.',
  },
  PROVIDER_TIMEOUT: {
    meaning: 'The provider was silent for too long.',
    cause: 'It has not accepted the turn, or paused in its answer, for a minute.',
    remedy: 'Read the conversation’s messages before the turn is sent again: the answer may have been given.',
    retry: UNSURE,
  },
  IMAGE_GENERATION_UNAVAILABLE: {
    meaning: 'The upstream makes no picture for this account.',
    cause: 'The account’s plan does not include pictures, or its share of them is used up.',
    remedy: 'Choose another account, or go on without pictures; text works as before. The session of the account is well.',
  },
  UPLOAD_FAILED: {
    meaning: 'The file could not be given to the upstream.',
    cause: 'The upstream failed while it took the file, or the gateway could not store it. Nothing of it was kept.',
    remedy: 'Send the file again.',
    retry: 'Yes: an upload that failed has left nothing behind.',
  },
  PROJECT_CREATE_FAILED: {
    meaning: 'The upstream has not made the project.',
    cause: 'It failed, or its answer was lost on the way.',
    remedy: 'Read `GET /v1/projects`, then create it again.',
    retry: 'Yes, after a look at the list.',
  },
  PROJECT_UPDATE_FAILED: {
    meaning: 'The upstream has not changed the project or its files.',
    cause: 'It failed, or its answer was lost on the way.',
    remedy: 'Read the project, then repeat the change.',
    retry: 'Yes: the change says what is to be, so that it can be repeated.',
  },
  PROJECT_ALREADY_EXISTS: {
    meaning: 'The account has a project of this name.',
    cause: 'Names are compared by their slugs, so that “My Doors” and “my-doors” are the same.',
    remedy: 'Use the project that there is, or another name.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
