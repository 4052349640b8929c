import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type createdConversation, toCreatedConversation } from '../../../wire/conversation.ts';
import { title } from '../../conversations/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { optionalUuid, UPSTREAM_TIMEOUT_MS, uuid } from '../../fields.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireKeyCaller } from '../callers.ts';
import { findKeyWorkspaceId } from '../keys/key-workspace.ts';

const MAX_MESSAGES = 10_000;

/** The body of an import: the messages with which a new conversation starts, and its key. */
export const importConversationBody = z
  .object({
    key_id: uuid.meta({ description: 'The key that the conversation will belong to.' }),
    title: title.default(''),
    upstream_account_id: optionalUuid.meta({ description: 'Chosen when it is absent.' }),
    model: z.string().trim().min(1).max(200).default('auto'),
    messages: z
      .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1, 'must not be empty') }))
      .min(1)
      .max(MAX_MESSAGES),
  })
  .meta({ id: 'ImportedConversation' });

/** Returns the workspace of the key that the conversation will belong to. */
export function resolveImportWorkspace({ body }: Input<undefined, undefined, z.output<typeof importConversationBody>>, { db }: RouteDeps) {
  return findKeyWorkspaceId(db, body.key_id);
}

/** Creates a conversation that starts with imported messages; the upstream receives them with the first turn. */
export async function importConversation(
  { principal, body }: Input<undefined, undefined, z.output<typeof importConversationBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof createdConversation>>> {
  const { key, caller } = await requireKeyCaller(deps.db, principal, body.key_id);
  if (key.revokedAt || (key.expiresAt && key.expiresAt.getTime() <= Date.now()))
    throw new GatewayError('VALIDATION_ERROR', 'the key cannot be used any more', { param: 'key_id' });
  const request = {
    title: body.title,
    upstreamAccountId: body.upstream_account_id ?? '',
    upstreamProjectId: '',
    model: body.model,
    imported: body.messages.map(({ role, content }) => ({ role, text: content })),
  };
  const conversation = await recordChange(principal, deps, {
    ...{ action: 'conversation.import', workspaceId: key.workspaceId },
    details: { key_id: key.id, messages: body.messages.length },
    make: () => deps.clients.chatRouting.createConversation(request, { caller, deadlineMs: UPSTREAM_TIMEOUT_MS }),
    toAuditFields: ({ id }) => ({ targetId: id }),
  });
  return { body: toCreatedConversation(conversation) };
}
