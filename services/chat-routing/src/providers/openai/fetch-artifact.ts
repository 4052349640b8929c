import { GatewayError } from '@parley/protos/errors';
import { type DownloadedFile } from '../file-operations.ts';
import { type HttpPools } from '../http-pools.ts';
import { toAuthorizationHeader } from '../openai-compatible/models.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { IMAGE_FORMAT, parseArtifactReference } from './artifacts.ts';
import { createOpenAiClient } from './client.ts';
import { withCodedErrors, toResponseError } from './failures.ts';
import { storedResponseSchema } from './wire.ts';

/** Timeout before the first and between any two chunks of a file. */
const SILENCE_MS = 30_000;
/** Timeout for retrieving a response with all its images. */
const RESPONSE_MS = 60_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const NOT_FOUND = 'the account no longer has the file';

/** Downloads an artifact: an image from its stored response, any other file from its container. Throws a coded error. */
export async function fetchArtifact(
  pools: HttpPools,
  connection: UpstreamConnection,
  reference: string,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  const place = parseArtifactReference(reference);
  if (place.kind === 'image') return fetchImage(pools, connection, place, signal);
  const path = `/containers/${encodeURIComponent(place.container)}/files/${encodeURIComponent(place.file)}/content`;
  const init = { headers: { accept: '*/*', ...toAuthorizationHeader(connection) }, signal, silenceMs: SILENCE_MS };
  const { headers, bytes } = await pools.download(connection.baseUrl, path, init, refusedFile);
  const length = Number(headers['content-length'] ?? Number.NaN);
  const mimeType = String(headers['content-type'] ?? 'application/octet-stream');
  return { name: '', mimeType, ...(Number.isSafeInteger(length) && { size: length }), bytes };
}

async function fetchImage(
  pools: HttpPools,
  connection: UpstreamConnection,
  { response, item }: { response: string; item: string },
  signal: AbortSignal,
): Promise<DownloadedFile> {
  const bounds = { signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]), maxBytes: MAX_RESPONSE_BYTES };
  const stored = await withCodedErrors(
    createOpenAiClient(pools, connection, bounds).responses.retrieve(response),
    new GatewayError('ASSET_NOT_FOUND', NOT_FOUND),
  );
  const parsed = storedResponseSchema.safeParse(stored);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not return the items of its answer');
  const result = parsed.data.output.find(({ id }) => id === item)?.result;
  if (typeof result === 'string' && result !== '') {
    const image = Buffer.from(result, 'base64');
    return { name: '', mimeType: `image/${IMAGE_FORMAT}`, size: image.length, bytes: once(image) };
  }
  // The upstream sends the event of an image before it stores the response.
  if (['queued', 'in_progress'].includes(parsed.data.status))
    throw new GatewayError('ASSET_NOT_READY', 'the account is not done with the file', { retryAfterMs: 1_000 });
  throw new GatewayError('ASSET_NOT_FOUND', NOT_FOUND);
}

function refusedFile(...[status, body, retryAfter]: Parameters<typeof toResponseError>): GatewayError {
  // Containers expire some minutes after their last use.
  return status === 404 ? new GatewayError('ASSET_NOT_FOUND', NOT_FOUND) : toResponseError(status, body, retryAfter);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
