import { type ServerResponse } from 'node:http';
import { type z } from 'zod';
import { type RouteDeps } from '../deps.ts';
import { RESPONSE_SENT, type Input } from '../route.ts';
import { type assetParams } from './fields.ts';

/** Sends the bytes of an asset, whole or a range, or only its headers, from the listener of the asset service. */
export async function downloadAsset(
  { principal, params, req }: Input<z.output<typeof assetParams>>,
  { clients, downloads }: RouteDeps,
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  const { baseUrl, path } = await clients.asset.openDownload({ id: params.asset_id }, { caller: principal });
  downloads.forward(req, res, { service: 'asset', baseUrl, path });
  return RESPONSE_SENT;
}
