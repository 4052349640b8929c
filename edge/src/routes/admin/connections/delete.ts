import { z } from 'zod';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type idParams, workspaceQuery } from '../fields.ts';
import { label, BULK_CHANGE_TIMEOUT_MS } from './fields.ts';

/** Query parameters of the deletion of a connection. */
export const deleteConnectionQuery = workspaceQuery.extend({
  move_to: label
    .optional()
    .meta({ description: 'Label of the connection that takes over the conversations; absent: they cannot continue.' }),
});

/** The result of a deletion: the conversations of the connection, and how many were moved. */
export const connectionDeletionResult = z
  .object({
    deleted: z.literal(true),
    conversations: z.int().meta({ description: 'Conversations that were bound to the connection.' }),
    moved: z.int().meta({ description: 'How many of them went to `move_to`.' }),
  })
  .meta({ id: 'ConnectionRemoval' });

/** Deletes a connection and returns how many of its conversations were moved. */
export async function deleteConnection(
  { principal, params, query }: Input<z.output<typeof idParams>, z.output<typeof deleteConnectionQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof connectionDeletionResult>>> {
  const { conversations, moved } = await recordChange(principal, deps, {
    ...{ action: 'connection.delete', workspaceId: query.workspace_id, targetId: params.id },
    details: { move_to: query.move_to ?? null },
    make: () =>
      deps.clients.chatRouting.removeConnection(
        { id: params.id, moveTo: query.move_to ?? '' },
        { caller: withWorkspace(principal, query.workspace_id), deadlineMs: BULK_CHANGE_TIMEOUT_MS },
      ),
    toAuditFields: ({ conversations, moved }) => ({ details: { conversations, moved } }),
  });
  return { body: { deleted: true, conversations, moved } };
}
