import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { toMessagesWithAssets } from '../../../assets/messages-with-assets.ts';
import { writeAudit } from '../../../store/audit-log.ts';
import { type conversationExport } from '../../../wire/conversation-export.ts';
import { toConversation } from '../../../wire/conversation.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireKeyCaller } from '../callers.ts';
import { type idParams } from '../fields.ts';
import { findKeyWorkspaceId } from '../keys/key-workspace.ts';

/** Query parameter with the API key on whose behalf the conversation is read. */
export const exportConversationQuery = z.object({ key_id: uuid.meta({ description: 'A key that may read the conversation.' }) });

/** Returns the workspace of that key. */
export function resolveExportWorkspace(
  { query }: Input<z.output<typeof idParams>, z.output<typeof exportConversationQuery>>,
  { db }: RouteDeps,
) {
  return findKeyWorkspaceId(db, query.key_id);
}

/**
 * Returns a conversation with all its messages, for an operator who acts on behalf of a key that may read it. Each export is in the audit
 * log.
 */
export async function exportConversation(
  { principal, params, query }: Input<z.output<typeof idParams>, z.output<typeof exportConversationQuery>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof conversationExport>>> {
  const { caller } = await requireKeyCaller(db, principal, query.key_id);
  const request = { conversationId: params.id };
  const [{ conversation }, { messages }] = await Promise.all([
    clients.conversation.getConversation(request, { caller }),
    clients.conversation.listMessages(request, { caller }),
  ]);
  if (!conversation) throw new GatewayError('INTERNAL_ERROR', 'the conversation service answered without a conversation');
  const { workspaceId, keyId } = caller;
  await writeAudit(
    db,
    toAuditEntry(principal, { action: 'conversation.export', workspaceId, targetId: params.id, details: { key_id: keyId } }),
  );
  const composed = await toMessagesWithAssets(clients, caller, messages);
  return { body: { object: 'conversation.export', version: 1, conversation: toConversation(conversation), messages: composed } };
}
