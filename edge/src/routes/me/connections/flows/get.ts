import { type z } from 'zod';
import { type connectFlow, toConnectFlow } from '../../../../wire/connect-flow.ts';
import { withWorkspace } from '../../../admin/callers.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { type flowParams, type flowQuery } from './fields.ts';

/** Returns a flow of this login session with its current step. */
export async function getConnectFlow(
  { principal, params, query }: Input<z.output<typeof flowParams>, z.output<typeof flowQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof connectFlow>>> {
  const request = { id: params.flow_id, sessionId: requireSession(principal).sessionId };
  const flow = await clients.chatRouting.getConnectFlow(request, { caller: withWorkspace(principal, query.workspace_id) });
  return { body: toConnectFlow(flow) };
}
