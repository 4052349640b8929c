import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

const BEGIN_ANEW =
  'What was said can still be read here. Begin a new conversation, with as much of the old one in its messages as is needed.';

/** Why a conversation does not go on (spec §2.2). */
export const CONVERSATIONS = {
  CONVERSATION_ACCESS_LOST: {
    meaning: 'The account may no longer see this conversation upstream.',
    cause: 'It was moved, or closed to the account, on the provider’s side.',
    remedy: BEGIN_ANEW,
  },
  CONVERSATION_CONTINUITY_LOST: {
    meaning: 'The upstream no longer has the message after which the conversation was to go on.',
    cause: 'Messages were removed or branched off on the provider’s side.',
    remedy: `\`POST /v1/conversations/{id}/sync\` takes over what the upstream has now. ${BEGIN_ANEW}`,
  },
  CONVERSATION_PROJECT_UNAVAILABLE: {
    meaning: 'The upstream project of the conversation is gone.',
    cause: 'The project was deleted, here or on the provider’s side. A conversation cannot leave its project.',
    remedy: BEGIN_ANEW,
  },
  CONVERSATION_DELETED_UPSTREAM: {
    meaning: 'The conversation was deleted on the provider’s side.',
    cause: 'Somebody deleted it there, or the provider did.',
    remedy: BEGIN_ANEW,
  },
  CONVERSATION_SESSION_EXPIRED: {
    meaning: 'The account of this conversation is signed out.',
    cause: 'A conversation stays on the account that it began with, and the session of that account has expired.',
    remedy: 'Ask whoever runs the gateway to reconnect the account; the conversation then goes on. Other conversations are not affected.',
  },
  CONVERSATION_UPSTREAM_UNAVAILABLE: {
    meaning: 'The account of this conversation is taking a rest after failures.',
    cause:
      'Several turns failed in a row, so that the gateway leaves the account alone for a while. A conversation does not move to another account.',
    remedy: 'Wait, or begin a new conversation, which may go to another account.',
    retry: 'Yes, after `Retry-After`, which is the rest of the pause.',
  },
  CONVERSATION_BUSY: {
    meaning: 'Another turn of this conversation is still being answered.',
    cause: 'Turns of one conversation run one after the other. This one has waited for ten seconds.',
    remedy: 'Send the turns of a conversation one after the other, or use several conversations.',
    retry: 'Yes, after `Retry-After`. Nothing of this turn was sent.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
