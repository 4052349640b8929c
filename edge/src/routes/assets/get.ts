import { type z } from 'zod';
import { type asset, toAsset } from '../../wire/asset.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type assetParams } from './fields.ts';

/** Returns an asset with its current status. */
export async function getAsset(
  { principal, params }: Input<z.output<typeof assetParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof asset>>> {
  return { body: toAsset(await clients.asset.getAsset({ id: params.asset_id }, { caller: principal }), getLinkWriter(principal)) };
}
