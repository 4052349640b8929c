import { type CallOptions, type Metadata } from '@grpc/grpc-js';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { type CallInit } from './call.ts';
import { type Channel, isTurnedAway } from './channel.ts';
import { type Channels } from './channels.ts';
import { serializeMarked } from './end-mark.ts';
import { feed, type Sink } from './feed.ts';
import { writeMetadata } from './metadata.ts';
import { type Method } from './method.ts';
import { requireConnection } from './require-connection.ts';
import { fromStatus, unavailable } from './status.ts';

/** How long a call may take when the caller does not say. */
const DEFAULT_DEADLINE_MS = 5_000;

/** The deadline of a call in milliseconds; there is none without. */
export function deadlineOf(init: CallInit): number {
  return Math.max(1, Math.min(init.deadlineMs ?? DEFAULT_DEADLINE_MS, 0x7fff_ffff));
}

/** A call with one answer; another address is asked when the first one stops and has refused it. */
export async function callOne(channels: Channels, m: Method, request: unknown, init: CallInit): Promise<unknown> {
  const channel = channels.pick(init.affinity);
  try {
    return await one(channel, m, request, init);
  } catch (error) {
    // What was streamed to the first is gone.
    if (m.requestStream || !isTurnedAway(error)) throw error;
    const other = channels.pick(init.affinity, channel);
    if (other === channel) throw error;
    return one(other, m, request, init);
  }
}

/** A call with many answers. */
export async function* callMany(channels: Channels, m: Method, request: unknown, init: CallInit): AsyncGenerator<unknown> {
  const channel = channels.pick(init.affinity);
  const { client } = channel;
  const { metadata, options } = open(init);
  channel.began();
  let told: GatewayError | undefined;
  const call = m.requestStream
    ? client.makeBidiStreamRequest(m.path, serializeMarked(m), m.responseDeserialize, metadata, options)
    : client.makeServerStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options);
  // The end of a call that is cancelled below is told after the iterator has stopped listening.
  call.on('error', () => undefined);
  const release = cancelOn(init.signal, call);
  requireConnection(client, call);
  let broke: { cause: unknown } | undefined;
  if (m.requestStream) void feed(request as AsyncIterable<unknown>, call as unknown as Sink, (cause) => (broke = { cause }));
  try {
    yield* call as AsyncIterable<unknown>;
  } catch (error) {
    throw broke ? toGatewayError(broke.cause) : (told = failure(error, init.signal));
  } finally {
    release();
    channel.ended(told);
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
      const told = error ? failure(error, init.signal) : undefined;
      channel.ended(broke ? undefined : told);
      if (broke) reject(toGatewayError(broke.cause));
      else if (told) reject(told);
      else resolve(response);
    };
    channel.began();
    const call = m.requestStream
      ? client.makeClientStreamRequest(m.path, serializeMarked(m), m.responseDeserialize, metadata, options, settle)
      : client.makeUnaryRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options, settle);
    const release = cancelOn(init.signal, call);
    requireConnection(client, call);
    if (m.requestStream) void feed(request as AsyncIterable<unknown>, call as unknown as Sink, (cause) => (broke = { cause }));
  });
}

/** A call that was cancelled by nobody here was cut off. */
function failure(error: unknown, signal: AbortSignal | undefined): GatewayError {
  const told = fromStatus(error);
  return told.condition === 'CANCELLED' && told.cause && !signal?.aborted ? unavailable(error) : told;
}

function open(init: CallInit): { metadata: Metadata; options: CallOptions } {
  return { metadata: writeMetadata(init.caller, init.traceparent), options: { deadline: Date.now() + deadlineOf(init) } };
}

function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  if (!signal) return () => undefined;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
