import { type z } from 'zod';
import { withDefaultWorkspace } from '../../middleware/principal.ts';
import { type modelList, toModel } from '../../wire/model.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';

/** Returns the models: `auto` first, then those of the workspace's connections. */
export async function listModels({ principal }: Input, { clients, startedAt }: RouteDeps): Promise<Reply<z.input<typeof modelList>>> {
  const { models } = await clients.chatRouting.listModels({}, { caller: withDefaultWorkspace(principal) });
  const auto = toModel({ id: 'auto', created: Math.floor(startedAt / 1_000), ownedBy: 'parley' });
  return { body: { object: 'list', data: [auto, ...models.filter(({ id }) => id !== 'auto').map(toModel)] } };
}
