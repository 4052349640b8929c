import { ACTION_DETAILS } from './actions.ts';
import { AUDIO_DETAILS } from './audio.ts';
import { CHAT_DETAILS } from './chat.ts';
import { CONVERSATION_DETAILS } from './conversations.ts';
import { type DetailsById } from './details.ts';
import { DISCOVERY_DETAILS } from './discovery.ts';
import { OPERATOR_DETAILS } from './operator.ts';
import { RESOURCE_DETAILS } from './resources.ts';

/** Descriptions and examples of every operation; a test requires them for each row of the route table. */
export const DETAILS: DetailsById = {
  ...CHAT_DETAILS,
  ...CONVERSATION_DETAILS,
  ...RESOURCE_DETAILS,
  ...AUDIO_DETAILS,
  ...ACTION_DETAILS,
  ...DISCOVERY_DETAILS,
  ...OPERATOR_DETAILS,
};
