import { GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type FileOperations, type IncomingFile, type OutgoingFile } from '../file-operations.ts';
import { type SourceStatus } from '../project-operations.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { bearer } from './session.ts';
import { toRefusedError, uploadedFile } from './wire.ts';

/** Timeout before the first and between any two chunks of an artifact. */
const SILENCE_MS = 30_000;

/** File operations for conversations: the sandbox stores uploads and its own artifacts. */
export function sandboxFiles(pools: Pools): FileOperations {
  return {
    upload: async (connection, file) => ({ upstreamRef: (await uploadFile(pools, connection, '/api/files', file)).upstreamRef }),
    remove: (connection, upstreamRef) => removeFile(pools, connection, `/api/files/${encodeURIComponent(upstreamRef)}`),
    fetch: (connection, reference, signal) => fetchArtifact(pools, connection, reference, signal),
  };
}

/** Streams a file to `path` at the sandbox; returns its reference and status. Throws a coded error. */
export async function uploadFile(
  pools: Pools,
  connection: UpstreamConnection,
  path: string,
  { name, mimeType, size, bytes, signal }: OutgoingFile,
): Promise<{ upstreamRef: string; status: SourceStatus }> {
  const headers = { 'content-type': mimeType, 'x-file-name': encodeURIComponent(name), ...bearer(connection) };
  const body = await pools.json(connection.baseUrl, path, { method: 'POST', headers, upload: { size, bytes }, signal }, toRefusedError);
  const parsed = uploadedFile.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not return the file');
  return { upstreamRef: parsed.data.id, status: parsed.data.status };
}

/** Deletes a file; one that no longer exists is not an error. Throws a coded error. */
async function removeFile(pools: Pools, connection: UpstreamConnection, path: string): Promise<void> {
  await pools.json(connection.baseUrl, path, { method: 'DELETE', headers: bearer(connection) }, toRefusedError).catch((error: unknown) => {
    if (!(error instanceof GatewayError && error.condition === 'ASSET_NOT_FOUND')) throw error;
  });
}

async function fetchArtifact(pools: Pools, connection: UpstreamConnection, reference: string, signal: AbortSignal): Promise<IncomingFile> {
  const path = `/api/artifacts/${encodeURIComponent(reference)}`;
  const init = { headers: { accept: '*/*', ...bearer(connection) }, signal, silenceMs: SILENCE_MS };
  const { headers, bytes } = await pools.download(connection.baseUrl, path, init, toRefusedError);
  const length = Number(headers['content-length'] ?? Number.NaN);
  return {
    name: decoded(String(headers['x-file-name'] ?? '')),
    mimeType: String(headers['content-type'] ?? 'application/octet-stream'),
    ...(Number.isSafeInteger(length) && { size: length }),
    bytes,
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
