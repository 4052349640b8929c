import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

const START_NEW =
  'The messages remain readable here. Start a new conversation, and include as much of the old one in its messages as is needed.';

/** Conditions under which a conversation does not continue. */
export const CONVERSATION_GUIDE = {
  CONVERSATION_ACCESS_LOST: {
    meaning: 'The account may no longer see this conversation upstream.',
    cause: 'It was moved, or closed to the account, at the provider.',
    remedy: START_NEW,
  },
  CONVERSATION_CONTINUITY_LOST: {
    meaning: 'The upstream no longer has the message that the turn continues from.',
    cause: 'Messages were removed or branched at the provider.',
    remedy: `\`POST /v1/conversations/{id}/sync\` takes over what the upstream has now. ${START_NEW}`,
  },
  CONVERSATION_PROJECT_UNAVAILABLE: {
    meaning: 'The upstream project of the conversation no longer exists.',
    cause: 'The project was deleted, here or at the provider. A conversation cannot leave its project.',
    remedy: START_NEW,
  },
  CONVERSATION_DELETED_UPSTREAM: {
    meaning: 'The conversation was deleted at the provider.',
    cause: 'The owner of the account or the provider deleted it there.',
    remedy: START_NEW,
  },
  CONVERSATION_SESSION_EXPIRED: {
    meaning: 'The session of the conversation’s connection has expired.',
    cause: 'A conversation stays on the connection that it started with, and the session of that connection has expired.',
    remedy: 'Ask the operator to reconnect it; the conversation then continues. Other conversations are not affected.',
  },
  CONVERSATION_UPSTREAM_UNAVAILABLE: {
    meaning: 'The connection of this conversation is in a cooldown after failures.',
    cause:
      'Several turns failed in a row, so the gateway does not use the connection for a while. A conversation does not move to another connection.',
    remedy: 'Wait, or start a new conversation, which may use another connection.',
    retry: 'Yes, after `Retry-After`, which is the rest of the cooldown.',
  },
  CONVERSATION_BUSY: {
    meaning: 'Another turn of this conversation is still running.',
    cause: 'Turns of one conversation run one after the other. This one has waited for ten seconds.',
    remedy: 'Send the turns of a conversation one after the other, or use several conversations.',
    retry: 'Yes, after `Retry-After`. No part of this turn was sent.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
