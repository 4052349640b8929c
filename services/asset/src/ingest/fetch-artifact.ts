import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError } from '@parley/protos/errors';
import { type ArtifactHead, type FetchArtifactResponse } from '@parley/protos/routing/v1/project';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type LeasedAsset } from '../store/leases.ts';

/** An artifact of an upstream whose bytes are being received. */
export interface IncomingArtifact {
  head: ArtifactHead;
  /** The bytes; can be read once. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Signal and trace of an attempt. */
export interface AttemptContext {
  signal: AbortSignal;
  /** `traceparent` of the attempt's span. */
  traceparent: string;
}

/** Timeout of an attempt, in milliseconds. */
const ATTEMPT_MS = 300_000;

/**
 * Requests the bytes of an artifact from chat-routing, for its workspace and in the trace of the ingestion.
 * @throws the errors of the upstream
 */
export async function fetchArtifact(
  routing: Stub<typeof ChatRoutingServiceService>,
  { connectionId, reference, workspaceId, requestId }: LeasedAsset,
  { traceparent, signal }: AttemptContext,
): Promise<IncomingArtifact> {
  const init = { caller: { ...SYSTEM_CALLER, workspaceId, requestId }, traceparent, signal, deadlineMs: ATTEMPT_MS };
  const frames = routing.fetchArtifact({ connectionId, reference }, init)[Symbol.asyncIterator]();
  const first = await frames.next();
  const frame = first.done ? undefined : first.value.frame;
  if (frame?.$case === 'head') return { head: frame.value, chunks: readChunks(frames) };
  await frames.return?.();
  throw new GatewayError('INTERNAL_ERROR', 'the bytes of an artifact came without their head');
}

async function* readChunks(frames: AsyncIterator<FetchArtifactResponse>): AsyncGenerator<Uint8Array> {
  try {
    for (let item = await frames.next(); !item.done; item = await frames.next()) {
      const { frame } = item.value;
      if (frame?.$case === 'chunk') yield frame.value;
    }
  } finally {
    await frames.return?.();
  }
}
