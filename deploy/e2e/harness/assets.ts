import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { call, open } from './http.ts';
import { type Uploader } from './upload.ts';

const asset = z.looseObject({
  id: z.uuid(),
  asset_type: z.string(),
  file_name: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  status: z.string(),
  retry_count: z.int(),
  download_url: z.string().optional(),
});

/** An asset as the API shows it. */
export type ShownAsset = z.infer<typeof asset>;

/** How long an ingestion may take, a crash and its lease in between. */
const INGESTED_MS = 60_000;

/** An asset as it stands. */
export async function getAsset({ house, key }: Uploader, id: string): Promise<ShownAsset> {
  return asset.parse((await call(house, 'GET', `/v1/assets/${id}`, { key })).json);
}

/** Everything that was attached to a conversation or made in it. */
export async function listAssets({ house, key }: Uploader, conversation: string): Promise<ShownAsset[]> {
  return z.array(asset).parse((await call(house, 'GET', `/v1/conversations/${conversation}/assets?limit=200`, { key })).json);
}

/** Waits until an asset is ready or has failed. */
export async function settled(of: Uploader, id: string): Promise<ShownAsset> {
  return waitFor(
    async () => {
      const shown = await getAsset(of, id);
      return shown.status === 'ready' || shown.status === 'failed' ? shown : undefined;
    },
    { timeoutMs: INGESTED_MS, everyMs: 100 },
  );
}

/** Downloads an asset, or a part of it. */
export async function download({ house, key }: Uploader, id: string, headers: Record<string, string> = {}) {
  const response = await open(house, 'GET', `/v1/assets/${id}/download`, { key, headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
