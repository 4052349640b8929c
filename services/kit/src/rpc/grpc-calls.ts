import { type CallOptions, type Metadata } from '@grpc/grpc-js';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { type CallInit, toSpanParent, toTraceparent } from './call.ts';
import { cancelUnlessConnected } from './cancel-unless-connected.ts';
import { type ChannelPool } from './channel-pool.ts';
import { type Channel } from './channel.ts';
import { createEndMarkSerializer } from './end-mark.ts';
import { FailoverTargets, isRepeatable } from './failover-targets.ts';
import { fromGrpcStatus, toLostCallError } from './grpc-status.ts';
import { toGrpcMetadata } from './metadata.ts';
import { type Method } from './method.ts';
import { writeRequests, type RequestSink } from './write-requests.ts';

/** Deadline of a call for which the caller sets none, in milliseconds. */
const DEFAULT_DEADLINE_MS = 5_000;

/** Returns how long a call may take, in milliseconds; every call has a deadline. */
export function getDeadlineMs(init: CallInit): number {
  return Math.max(1, Math.min(init.deadlineMs ?? DEFAULT_DEADLINE_MS, 0x7fff_ffff));
}

/**
 * Makes a call with one response; sends it to other targets when the first one did not carry it out and it may be repeated. Rejects with a
 * GatewayError.
 */
export async function callOverGrpc(pool: ChannelPool, m: Method, request: unknown, init: CallInit): Promise<unknown> {
  const channel = pool.pick(init.affinity);
  // A request stream that was sent to the first address cannot be repeated.
  if (m.requestStream || !pool.hasSeveralTargets) return one(channel, m, request, init);
  const elsewhere = new FailoverTargets(pool, init, isRepeatable(m, init));
  return tryAll(elsewhere, channel, m, request, init);
}

async function tryAll(elsewhere: FailoverTargets, first: Channel, m: Method, request: unknown, init: CallInit): Promise<unknown> {
  let deadlineMs = elsewhere.getFirstDeadlineMs(getDeadlineMs(init));
  for (let channel = first; ; deadlineMs = getDeadlineMs(init)) {
    try {
      return await one(channel, m, request, { ...init, deadlineMs });
    } catch (thrown) {
      const error = toGatewayError(thrown);
      const other = await elsewhere.find(channel, error);
      if (!other) throw error;
      channel = other;
    }
  }
}

/** Makes a call with a stream of responses. Throws a GatewayError; ending the iteration early cancels the call. */
export async function* iterateOverGrpc(pool: ChannelPool, m: Method, request: unknown, init: CallInit): AsyncGenerator<unknown> {
  const channel = pool.pick(init.affinity);
  const { client } = channel;
  const { metadata, options } = open(init);
  channel.onCallStart();
  let failed: GatewayError | undefined;
  const call = m.requestStream
    ? client.makeBidiStreamRequest(m.path, createEndMarkSerializer(m), m.responseDeserialize, metadata, options)
    : client.makeServerStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options);
  // A call that is cancelled below emits an error after the iterator has stopped listening.
  call.on('error', () => undefined);
  const release = cancelOn(init.signal, call);
  const unwatch = channel.cancelOnPeerLoss(call);
  cancelUnlessConnected(client, call);
  let broke: { cause: unknown } | undefined;
  if (m.requestStream)
    void writeRequests(request as AsyncIterable<unknown>, call as unknown as RequestSink, (cause) => (broke = { cause }));
  try {
    yield* call as AsyncIterable<unknown>;
  } catch (error) {
    throw broke ? toGatewayError(broke.cause) : (failed = failure(error, init.signal));
  } finally {
    release();
    unwatch();
    channel.onCallEnd(failed);
    call.cancel(); // a consumer that stops reading must stop the producer
  }
}

function one(channel: Channel, m: Method, request: unknown, init: CallInit): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { client } = channel;
    const { metadata, options } = open(init);
    let broke: { cause: unknown } | undefined;
    const settle = (error: unknown, response: unknown) => {
      release();
      unwatch();
      const failed = error ? failure(error, init.signal) : undefined;
      channel.onCallEnd(broke ? undefined : failed);
      if (broke) reject(toGatewayError(broke.cause));
      else if (failed) reject(failed);
      else resolve(response);
    };
    channel.onCallStart();
    const call = m.requestStream
      ? client.makeClientStreamRequest(m.path, createEndMarkSerializer(m), m.responseDeserialize, metadata, options, settle)
      : client.makeUnaryRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options, settle);
    const release = cancelOn(init.signal, call);
    const unwatch = channel.cancelOnPeerLoss(call);
    cancelUnlessConnected(client, call);
    if (m.requestStream)
      void writeRequests(request as AsyncIterable<unknown>, call as unknown as RequestSink, (cause) => (broke = { cause }));
  });
}

/** CANCELLED without an abort of this side means that the connection broke. */
function failure(error: unknown, signal: AbortSignal | undefined): GatewayError {
  const failed = fromGrpcStatus(error);
  return failed.condition === 'CANCELLED' && failed.cause && !signal?.aborted ? toLostCallError(error) : failed;
}

function open(init: CallInit): { metadata: Metadata; options: CallOptions } {
  return {
    metadata: toGrpcMetadata(init.caller, toTraceparent(toSpanParent(init))),
    options: { deadline: Date.now() + getDeadlineMs(init) },
  };
}

function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  if (!signal) return () => undefined;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
