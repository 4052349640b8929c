import { type Caller } from '@parley/kit/rpc/call';
import { type Asset } from '@parley/protos/asset/v1/asset';
import { type Clients } from '../clients.ts';

/** As many ids as one call may name. */
const BATCH = 200;

/** Of these assets those that are the caller's, by id. Asks nobody when there are no ids. */
export async function listAssets(
  { asset }: Pick<Clients, 'asset'>,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Asset>> {
  const found = new Map<string, Asset>();
  for (let start = 0; start < ids.length; start += BATCH) {
    const { assets } = await asset.listAssets({ ids: ids.slice(start, start + BATCH) }, { caller });
    for (const one of assets) found.set(one.id, one);
  }
  return found;
}
