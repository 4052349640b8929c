import { waitFor } from '@parley/kit/testing/wait-for';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Streamed } from './event-stream.ts';
import { call, open } from './http.ts';
import { type Gateway } from './parley.ts';
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
  error_code: z.string().optional(),
  error_message: z.string().optional(),
});
const message = z.looseObject({
  id: z.uuid(),
  status: z.string(),
  content: z.string(),
  pending_operations: z.int(),
  assets: z.array(asset),
});
const lifecycle = z.looseObject({
  type: z.string(),
  asset: asset.optional(),
  error_code: z.string().optional(),
  error_message: z.string().optional(),
});

/** An asset as the API shows it. */
export type ShownAsset = z.infer<typeof asset>;
/** A message as the API shows it, with its assets. */
export type ShownMessage = z.infer<typeof message>;
/** What a stream tells of the life of an answer and its assets. */
export type LifecycleEvent = z.infer<typeof lifecycle>;

/** An asset as it stands. */
export async function getAsset({ gateway, key }: Uploader, id: string): Promise<ShownAsset> {
  return asset.parse((await call(gateway, 'GET', `/v1/assets/${id}`, { key })).json);
}

/** A message as it stands. */
export async function getMessage({ gateway, key }: Uploader, id: string): Promise<ShownMessage> {
  return message.parse((await call(gateway, 'GET', `/v1/messages/${id}`, { key })).json);
}

/** The events of a stream beside the text, in order. */
export function lifecycleOf({ chunks }: Pick<Streamed, 'chunks'>): LifecycleEvent[] {
  return chunks.flatMap(({ lifecycle_event: event }) => (event ? [lifecycle.parse(event)] : []));
}

/** What a stream made: the message it is, and its first asset. Throws when there was none. */
export function madeIn(answer: Pick<Streamed, 'chunks'>): { message: string; asset: string } {
  const message = answer.chunks.find(({ message_id }) => message_id !== undefined)?.message_id;
  const made = lifecycleOf(answer).find((event) => event.asset)?.asset;
  if (message === undefined || !made) throw new Error('the stream announced no asset');
  return { message, asset: made.id };
}

/** Everything that was attached to a conversation or made in it. */
export async function listAssets({ gateway, key }: Uploader, conversation: string): Promise<ShownAsset[]> {
  return z.array(asset).parse((await call(gateway, 'GET', `/v1/conversations/${conversation}/assets?limit=200`, { key })).json);
}

/** Waits until an asset is ready or has failed. */
export async function settled(of: Uploader, id: string): Promise<ShownAsset> {
  return waitFor(
    async () => {
      const shown = await getAsset(of, id);
      return shown.status === 'ready' || shown.status === 'failed' ? shown : undefined;
    },
    { everyMs: 100 },
  );
}

/** Waits until a message waits for no asset any more. */
export async function completed(of: Uploader, id: string): Promise<ShownMessage> {
  return waitFor(async () => [await getMessage(of, id)].find(({ status }) => status === 'completed'), { everyMs: 100 });
}

/** Downloads an asset, or a part of it. */
export async function download({ gateway, key }: Uploader, id: string, headers: Record<string, string> = {}) {
  const response = await open(gateway, 'GET', `/v1/assets/${id}/download`, { key, headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The files that a gateway keeps, without what a crash has left half written: that is swept much later. */
export async function storedFiles({ dataDir }: Pick<Gateway, 'dataDir'>): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs', 'assets'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
