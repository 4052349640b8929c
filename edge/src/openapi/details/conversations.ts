import { IMAGE_SAMPLE } from './asset-samples.ts';
import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const CREATED = {
  id: SAMPLE.conversation,
  status: 'active',
  title: 'Trip to the lighthouse',
  upstream_account_id: SAMPLE.account,
  destination_type: 'general',
  created_at: SAMPLE.time,
};
/** Example of a conversation after a turn. */
export const CONVERSATION_SAMPLE = {
  ...CREATED,
  object: 'conversation',
  pinned: false,
  continuity_status: 'available',
  model: 'auto',
  message_count: 2,
  last_message_at: SAMPLE.later,
  updated_at: SAMPLE.later,
};
const PARTICIPANT = { user_id: SAMPLE.user, role: 'editor', display_name: 'Ada', added_at: SAMPLE.time };
/** Example of a message of the assistant. */
export const MESSAGE_SAMPLE = {
  id: SAMPLE.message,
  object: 'message',
  conversation_id: SAMPLE.conversation,
  role: 'assistant',
  status: 'completed',
  content: 'It stands in A Coruña, Spain.',
  model: 'sandbox-1',
  assets: [IMAGE_SAMPLE],
  pending_operations: 0,
  usage: { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 },
  error: null,
  created_at: SAMPLE.time,
  completed_at: SAMPLE.later,
};

/** Descriptions and examples of the operations on conversations and messages. */
export const CONVERSATION_DETAILS: DetailsByOperationId = {
  createConversation: {
    description:
      'Binds a new conversation to an account; the upstream gets it with the first message. A chat without one makes it by itself.',
    request: { title: 'Trip to the lighthouse', model: 'auto' },
    response: CREATED,
  },
  listConversations: {
    description:
      'Those that the key may read, the newest activity first. A conversation that a chat opened is left out while no account has accepted a turn of it; it is reachable by its id, and by a retry of the chat.',
    response: [CONVERSATION_SAMPLE],
  },
  getConversation: {
    description: 'The conversation and its participants.',
    response: { ...CONVERSATION_SAMPLE, owner_user_id: SAMPLE.user, participants: [{ ...PARTICIPANT, role: 'owner' }] },
  },
  updateConversation: {
    description: 'Both are query parameters; without any nothing changes.',
    response: { ...CONVERSATION_SAMPLE, pinned: true },
  },
  deleteConversation: {
    description: 'No participant can read it any more. Its messages are stored until the retention of deleted ones ends.',
    response: { id: SAMPLE.conversation, object: 'conversation.deleted', deleted: true },
  },
  listMessages: { description: 'All messages, oldest first, with their assets.', response: [MESSAGE_SAMPLE] },
  syncConversation: {
    description: 'Adopts what is new at the upstream. A conversation that is lost there is answered with 200 and its `continuity_status`.',
    response: CONVERSATION_SAMPLE,
  },
  archiveConversation: {
    description: 'Archiving an archived conversation changes nothing.',
    response: { ...CONVERSATION_SAMPLE, status: 'archived' },
  },
  restoreConversation: { description: 'Makes an archived conversation active again.', response: CONVERSATION_SAMPLE },
  shareConversation: {
    description: 'A `viewer` may read, an `editor` may continue it. Only the owner can share; for a participant the role changes.',
    request: { user_id: SAMPLE.user, role: 'editor' },
    response: PARTICIPANT,
  },
  transferConversation: {
    description: 'To another member of the workspace; the former owner becomes an editor.',
    request: { user_id: SAMPLE.user },
    response: CONVERSATION_SAMPLE,
  },
  listParticipants: { description: 'The owner first.', response: [{ ...PARTICIPANT, role: 'owner' }] },
  updateParticipant: { description: 'Only the owner may.', request: { role: 'viewer' }, response: { ...PARTICIPANT, role: 'viewer' } },
  removeParticipant: {
    description: 'Only the owner may.',
    response: { user_id: SAMPLE.user, object: 'participant.deleted', deleted: true },
  },
  createAttachment: {
    description: 'Stores the file and uploads it to the upstream. Put `file_id` into `attachment_file_ids` of a chat on this conversation.',
    request: { file: 'the bytes of lighthouse.png' },
    response: {
      ...{ file_id: SAMPLE.file, asset_id: SAMPLE.asset, file_name: IMAGE_SAMPLE.file_name, mime_type: IMAGE_SAMPLE.mime_type },
      ...{ size_bytes: IMAGE_SAMPLE.size_bytes, width: IMAGE_SAMPLE.width, height: IMAGE_SAMPLE.height },
    },
  },
  listConversationAssets: { description: 'The oldest first.', response: [IMAGE_SAMPLE] },
  getMessage: {
    description: 'Poll it after a stream that ended before its assets were fetched, until `pending_operations` is 0.',
    response: MESSAGE_SAMPLE,
  },
};
