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
