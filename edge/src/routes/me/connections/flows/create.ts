import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { hasPermission } from '../../../../identity/permissions.ts';
import { type connectFlow, toConnectFlow } from '../../../../wire/connect-flow.ts';
import { withWorkspace } from '../../../admin/callers.ts';
import { label } from '../../../admin/connections/fields.ts';
import { type RouteDeps } from '../../../deps.ts';
import { UPSTREAM_TIMEOUT_MS, uuid } from '../../../fields.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';

/** The body of a new flow: the provider to connect, or the connection to reconnect. */
export const createConnectFlowBody = z
  .object({
    workspace_id: uuid,
    provider: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be the name of a provider')
      .optional(),
    label: label.optional().meta({ description: 'Of the new connection; absent: the gateway chooses a free one.' }),
    connection_id: uuid.optional().meta({
      description: 'The connection to reconnect; it keeps its id, label, conversations and projects.',
    }),
  })
  .meta({ id: 'NewConnectFlow' });

/** Starts a flow that connects an account to a workspace, or reconnects one. It belongs to this login session. */
export async function createConnectFlow(
  { principal, body }: Input<undefined, undefined, z.output<typeof createConnectFlowBody>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof connectFlow>>> {
  const { provider = '', connection_id: connectionId = '' } = body;
  if ((provider === '') === (connectionId === '')) {
    throw new GatewayError('VALIDATION_ERROR', 'give either provider or connection_id', { param: 'provider' });
  }
  const { sessionId, rights } = requireSession(principal);
  const flow = await clients.chatRouting.beginConnectFlow(
    // A person who may write connections of all workspaces may use private addresses, such as a local model server; the admin of a
    // workspace may not scan the network of the gateway.
    { provider, label: body.label ?? '', connectionId, sessionId, privateAddresses: hasPermission(rights, 'connections.write') },
    { caller: withWorkspace(principal, body.workspace_id), deadlineMs: UPSTREAM_TIMEOUT_MS },
  );
  return { body: toConnectFlow(flow) };
}
