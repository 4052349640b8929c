import { type z } from 'zod';
import { type connectProvider, toConnectProvider } from '../../../../wire/connect-flow.ts';
import { withWorkspace } from '../../../admin/callers.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type flowQuery } from './fields.ts';

/** Returns the providers whose accounts can be connected step by step. */
export async function listConnectProviders(
  { principal, query }: Input<undefined, z.output<typeof flowQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof connectProvider>[]>> {
  const { providers } = await clients.chatRouting.listConnectProviders({}, { caller: withWorkspace(principal, query.workspace_id) });
  return { body: providers.map(toConnectProvider) };
}
