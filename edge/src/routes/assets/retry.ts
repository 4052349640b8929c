import { type z } from 'zod';
import { type asset, toAsset } from '../../wire/asset.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';
import { type assetParams } from './fields.ts';

/** Retries a failed asset; returns its new state. */
export async function retryAsset(
  { principal, params }: Input<z.output<typeof assetParams>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof asset>>> {
  return { body: toAsset(await clients.asset.retryAsset({ id: params.asset_id }, { caller: principal }), getLinkWriter(principal)) };
}
