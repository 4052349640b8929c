import { type Conversation, type ConversationDetail } from '@parley/protos/conversation/v1/resource';
import { z } from 'zod';
import { participant, type DisplayNames, toParticipant } from './participant.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Statuses of a conversation in the API; also the values of the list filter. */
export const CONVERSATION_STATUSES = ['active', 'archived'] as const;
/** Where a conversation is stored at its account: outside or inside an upstream project. */
export const DESTINATION_TYPES = ['general', 'project'] as const;
/** Whether a conversation can continue at its upstream, and why not. */
const CONTINUITY_STATUSES = [
  'available',
  'deleted_upstream',
  'access_lost',
  'session_expired',
  'continuity_lost',
  'project_unavailable',
  'upstream_unavailable',
] as const;

/** A new conversation in responses. */
export const createdConversation = z
  .object({
    id: z.uuid(),
    status: z.enum(CONVERSATION_STATUSES),
    title: z.string().meta({ description: 'Empty until the first turn sets one.' }),
    upstream_account_id: z.uuid(),
    upstream_project_id: z.uuid().optional().meta({ description: 'Absent in a general conversation.' }),
    destination_type: z.enum(DESTINATION_TYPES),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CreatedConversation' });

/** A conversation in lists and in the responses to changes. */
export const conversation = createdConversation
  .extend({
    object: z.literal('conversation'),
    pinned: z.boolean(),
    continuity_status: z.enum(CONTINUITY_STATUSES).meta({ description: 'Whether the conversation can continue at the upstream.' }),
    model: z.string(),
    message_count: z.int(),
    last_message_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Conversation' });

/** A conversation with its owner and its participants. */
export const conversationDetail = conversation
  .extend({ owner_user_id: z.uuid().nullable(), participants: z.array(participant) })
  .meta({ id: 'ConversationDetail' });

/** The response to the deletion of a conversation. */
export const deletedConversation = z
  .object({ id: z.uuid(), object: z.literal('conversation.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedConversation' });

/** Converts a new conversation to its JSON form. */
export function toCreatedConversation(from: Conversation): z.input<typeof createdConversation> {
  return {
    id: from.id,
    status: toKnownValue(CONVERSATION_STATUSES, from.status, 'active'),
    title: from.title,
    upstream_account_id: from.upstreamAccountId,
    ...(from.upstreamProjectId !== '' && { upstream_project_id: from.upstreamProjectId }),
    destination_type: toKnownValue(DESTINATION_TYPES, from.destinationType, 'general'),
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
  };
}

/** Converts a conversation to its JSON form. */
export function toConversation(from: Conversation): z.input<typeof conversation> {
  const created = toCreatedConversation(from);
  return {
    object: 'conversation',
    ...created,
    pinned: from.pinned,
    continuity_status: toKnownValue(CONTINUITY_STATUSES, from.continuityStatus, 'available'),
    model: from.model,
    message_count: from.messageCount,
    last_message_at: toTimestampOrNull(from.lastMessageAt),
    updated_at: from.updatedAt ? toTimestamp(from.updatedAt) : created.created_at,
  };
}

/** Converts a conversation with its participants to its JSON form; `names` has the display names by user id. */
export function toConversationDetail(
  of: Conversation,
  participants: ConversationDetail['participants'],
  names: DisplayNames,
): z.input<typeof conversationDetail> {
  return {
    ...toConversation(of),
    owner_user_id: of.ownerUserId === '' ? null : of.ownerUserId,
    participants: participants.map((one) => toParticipant(one, names)),
  };
}
