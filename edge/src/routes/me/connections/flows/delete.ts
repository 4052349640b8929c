import { type z } from 'zod';
import { withWorkspace } from '../../../admin/callers.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { type flowParams, type flowQuery } from './fields.ts';

/** Cancels an open flow and deletes its data. */
export async function deleteConnectFlow(
  { principal, params, query }: Input<z.output<typeof flowParams>, z.output<typeof flowQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<undefined>> {
  const request = { id: params.flow_id, sessionId: requireSession(principal).sessionId };
  await clients.chatRouting.cancelConnectFlow(request, { caller: withWorkspace(principal, query.workspace_id) });
  return { body: undefined };
}
