import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError } from '@parley/protos/errors';
import { type ArtifactHead, type FetchArtifactResponse } from '@parley/protos/routing/v1/project';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type LeasedAsset } from '../store/leases.ts';

/** What an upstream made, with its bytes on their way. */
export interface IncomingArtifact {
  head: ArtifactHead;
  /** To be read once. */
  chunks: AsyncIterable<Uint8Array>;
}

/** The attempt that needs the bytes. */
export interface AttemptContext {
  signal: AbortSignal;
  /** Of the attempt's span. */
  traceparent: string;
}

/** How long one attempt may take. */
const ATTEMPT_MS = 300_000;

/** Asks chat-routing for the bytes of an artifact, for the workspace it belongs to and in the trace of the ingestion. @throws what the upstream refuses with */
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
