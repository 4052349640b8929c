import { type Caller } from '@parley/kit/rpc/call';
import { type Asset } from '@parley/protos/asset/v1/asset';
import { type Clients } from '../clients.ts';

/** Most ids in one call. */
const BATCH = 200;

/** Returns the assets with these ids that the caller may see, by id. Makes no call for an empty list. */
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
