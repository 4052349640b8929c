import { type Call } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type FetchArtifactRequest, type FetchArtifactResponse } from '@parley/protos/routing/v1/project';
import { type Account } from '../accounts/account.ts';
import { recordSideCallOutcome } from '../accounts/record-outcome.ts';
import { type IncomingFile } from '../providers/file-operations.ts';
import { type HandlerDeps } from './deps.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * RPC FetchArtifact: the bytes of what an account of the workspace made, as fast as the caller takes them. Throws CONNECTION_NOT_FOUND,
 * ACCOUNT_NOT_ACTIVE, ASSET_NOT_FOUND, ASSET_NOT_READY, and what else the upstream's answer means.
 */
export async function* fetchArtifact(
  deps: HandlerDeps,
  { connectionId, reference }: FetchArtifactRequest,
  call: Call,
): AsyncGenerator<FetchArtifactResponse> {
  const account = await deps.accounts.find(call.caller.workspaceId, connectionId);
  const { secret } = account;
  const stop = new AbortController();
  try {
    const { name, mimeType, size, bytes } = await open(account, reference, AbortSignal.any([call.signal, stop.signal]));
    yield { frame: { $case: 'head', value: { fileName: name, mimeType, sizeBytes: size } } };
    for await (const piece of bytes) {
      for (let at = 0; at < piece.length; at += CHUNK_BYTES)
        yield {
          frame: { $case: 'chunk', value: Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(CHUNK_BYTES, piece.length - at)) },
        };
    }
  } catch (thrown) {
    if (call.abandoned) throw call.abandoned;
    const error = toGatewayError(thrown);
    recordSideCallOutcome(deps, account, secret, error);
    throw error;
  } finally {
    // A caller that stops reading ends the download.
    stop.abort();
  }
}

function open(account: Account, reference: string, signal: AbortSignal): Promise<IncomingFile> {
  const { files } = account.provider;
  if (!files?.fetch) throw new GatewayError('ASSET_NOT_FOUND', 'accounts of this provider make no files');
  if (!account.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account that made the file is not active');
  if (account.admission() === 'expired')
    throw new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the session of the account that made the file has expired');
  account.usedSinceTouch = true;
  return files.fetch(account.upstream, reference, signal);
}
