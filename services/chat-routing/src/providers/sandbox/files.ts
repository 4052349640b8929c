import { GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type FileOperations, type IncomingFile, type OutgoingFile } from '../file-operations.ts';
import { type SourceStatus } from '../project-operations.ts';
import { type ProviderAccount } from '../provider-account.ts';
import { bearer } from './session.ts';
import { toRefusedError, uploadedFile } from './wire.ts';

/** Between any two pieces of an artifact, and before the first. */
const SILENCE_MS = 30_000;

/** Files of conversations: the sandbox keeps what is uploaded, and what it makes itself. */
export function sandboxFiles(pools: Pools): FileOperations {
  return {
    upload: async (account, file) => ({ upstreamRef: (await uploadFile(pools, account, '/api/files', file)).upstreamRef }),
    remove: (account, upstreamRef) => removeFile(pools, account, `/api/files/${encodeURIComponent(upstreamRef)}`),
    fetch: (account, reference, signal) => fetchArtifact(pools, account, reference, signal),
  };
}

/** Streams a file to where `path` says, as it comes. Throws a coded error. */
export async function uploadFile(
  pools: Pools,
  account: ProviderAccount,
  path: string,
  { name, mimeType, size, bytes, signal }: OutgoingFile,
): Promise<{ upstreamRef: string; status: SourceStatus }> {
  const headers = { 'content-type': mimeType, 'x-file-name': encodeURIComponent(name), ...bearer(account) };
  const body = await pools.json(account.baseUrl, path, { method: 'POST', headers, upload: { size, bytes }, signal }, toRefusedError);
  const parsed = uploadedFile.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not return the file');
  return { upstreamRef: parsed.data.id, status: parsed.data.status };
}

/** Deletes a file; one that is gone is no error. Throws a coded error. */
async function removeFile(pools: Pools, account: ProviderAccount, path: string): Promise<void> {
  await pools.json(account.baseUrl, path, { method: 'DELETE', headers: bearer(account) }, toRefusedError).catch((error: unknown) => {
    if (!(error instanceof GatewayError && error.condition === 'ASSET_NOT_FOUND')) throw error;
  });
}

async function fetchArtifact(pools: Pools, account: ProviderAccount, reference: string, signal: AbortSignal): Promise<IncomingFile> {
  const path = `/api/artifacts/${encodeURIComponent(reference)}`;
  const init = { headers: { accept: '*/*', ...bearer(account) }, signal, silenceMs: SILENCE_MS };
  const { headers, bytes } = await pools.download(account.baseUrl, path, init, toRefusedError);
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
