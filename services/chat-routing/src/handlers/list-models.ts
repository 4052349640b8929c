import { type Call } from '@parley/kit/rpc/call';
import { type ListModelsResponse, type Model } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';

/**
 * RPC ListModels: lists the models and aliases that the workspace's usable connections offer, each once, including connections that are
 * cooling down. The edge adds `auto`.
 */
export async function listModels({ connections }: Deps, call: Call): Promise<ListModelsResponse> {
  const models = new Map<string, Model>();
  for (const connection of await connections.listChat(call.caller.workspaceId)) {
    if (!connection.ready || connection.admission() === 'expired') continue;
    const { row, offeredModels } = connection;
    for (const id of offeredModels) {
      if (!models.has(id)) models.set(id, { id, ownedBy: row.provider, created: Math.floor(row.createdAt.getTime() / 1000) });
    }
  }
  return { models: [...models.values()] };
}
