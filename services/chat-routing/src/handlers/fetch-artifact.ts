import { type Call } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type FetchArtifactRequest, type FetchArtifactResponse } from '@parley/protos/routing/v1/project';
import { type Connection } from '../connections/connection.ts';
import { recordSideCallError } from '../connections/record-call-error.ts';
import { type Deps } from '../deps.ts';
import { type DownloadedFile } from '../providers/file-operations.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * RPC FetchArtifact: streams a file that an upstream generated: a head, then chunks, with backpressure from the caller. Throws
 * CONNECTION_NOT_FOUND, ACCOUNT_NOT_ACTIVE, ACCOUNT_REAUTH_REQUIRED, ASSET_NOT_FOUND, ASSET_NOT_READY, and other coded errors of the
 * upstream.
 */
export async function* fetchArtifact(
  deps: Deps,
  { connectionId, reference }: FetchArtifactRequest,
  call: Call,
): AsyncGenerator<FetchArtifactResponse> {
  const connection = await deps.connections.getChat(call.caller.workspaceId, connectionId);
  const { secret } = connection;
  const stop = new AbortController();
  try {
    const { name, mimeType, size, bytes } = await open(connection, reference, AbortSignal.any([call.signal, stop.signal]));
    yield { frame: { $case: 'head', value: { fileName: name, mimeType, sizeBytes: size } } };
    for await (const piece of bytes) {
      for (let at = 0; at < piece.length; at += CHUNK_BYTES)
        yield {
          frame: { $case: 'chunk', value: Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(CHUNK_BYTES, piece.length - at)) },
        };
    }
  } catch (thrown) {
    if (call.abortReason) throw call.abortReason;
    const error = toGatewayError(thrown);
    recordSideCallError(deps, connection, secret, error);
    throw error;
  } finally {
    // Ends the download when the caller stops reading.
    stop.abort();
  }
}

function open(connection: Connection, reference: string, signal: AbortSignal): Promise<DownloadedFile> {
  const { files } = connection.provider;
  if (!files?.fetch) throw new GatewayError('ASSET_NOT_FOUND', 'accounts of this provider make no files');
  if (!connection.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account that made the file is not active');
  if (connection.admission() === 'expired')
    throw new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the session of the account that made the file has expired');
  connection.usedSinceTouch = true;
  return files.fetch(connection.upstream, reference, signal);
}
