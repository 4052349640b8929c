import { GatewayError } from '@parley/protos/errors';
import { type FileOperations, type DownloadedFile, type OutgoingFile } from '../file-operations.ts';
import { type HttpPools } from '../http-pools.ts';
import { type SourceStatus } from '../project-operations.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { toBearerHeader } from './session.ts';
import { toResponseError, uploadedFileSchema } from './wire.ts';

/** Timeout before the first and between any two chunks of an artifact. */
const SILENCE_MS = 30_000;

/** File operations for conversations: the sandbox stores uploads and its own artifacts. */
export function createSandboxFileOperations(pools: HttpPools): FileOperations {
  return {
    upload: async (connection, file) => ({ upstreamRef: (await uploadFile(pools, connection, '/api/files', file)).upstreamRef }),
    remove: (connection, upstreamRef) => removeFile(pools, connection, `/api/files/${encodeURIComponent(upstreamRef)}`),
    fetch: (connection, reference, signal) => fetchArtifact(pools, connection, reference, signal),
  };
}

/** Streams a file to `path` at the sandbox; returns its reference and status. Throws a coded error. */
export async function uploadFile(
  pools: HttpPools,
  connection: UpstreamConnection,
  path: string,
  { name, mimeType, size, bytes, signal }: OutgoingFile,
): Promise<{ upstreamRef: string; status: SourceStatus }> {
  const headers = { 'content-type': mimeType, 'x-file-name': encodeURIComponent(name), ...toBearerHeader(connection) };
  const body = await pools.requestJson(
    connection.baseUrl,
    path,
    { method: 'POST', headers, upload: { size, bytes }, signal },
    toResponseError,
  );
  const parsed = uploadedFileSchema.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not return the file');
  return { upstreamRef: parsed.data.id, status: parsed.data.status };
}

/** Deletes a file; one that no longer exists is not an error. Throws a coded error. */
async function removeFile(pools: HttpPools, connection: UpstreamConnection, path: string): Promise<void> {
  await pools
    .requestJson(connection.baseUrl, path, { method: 'DELETE', headers: toBearerHeader(connection) }, toResponseError)
    .catch((error: unknown) => {
      if (!(error instanceof GatewayError && error.condition === 'ASSET_NOT_FOUND')) throw error;
    });
}

async function fetchArtifact(
  pools: HttpPools,
  connection: UpstreamConnection,
  reference: string,
  signal: AbortSignal,
): Promise<DownloadedFile> {
  const path = `/api/artifacts/${encodeURIComponent(reference)}`;
  const init = { headers: { accept: '*/*', ...toBearerHeader(connection) }, signal, silenceMs: SILENCE_MS };
  const { headers, bytes } = await pools.download(connection.baseUrl, path, init, toResponseError);
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
