import { type Client, type ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import { type GatewayError } from '@parley/protos/errors';
import { ObjectMap } from '../collections/object-map.ts';
import { toSpanParent, toTraceparent } from './call.ts';
import { cancelUnlessConnected } from './cancel-unless-connected.ts';
import { ClientCall } from './client-call.ts';
import { createFrameSerializer } from './frame-serializer.ts';
import { type Frame, FrameWriter } from './frames.ts';
import { fromGrpcStatus, toLostCallError } from './grpc-status.ts';
import { type Method } from './method.ts';
import { type MultiplexedCall, type MultiplexedInit, type StreamObserver, WINDOW_BYTES } from './multiplexed-call.ts';

/** Added to the deadline of a stream, for calls that started late in its life, in milliseconds. */
const STREAM_GRACE_MS = 30 * 60_000;
/** The ids of a stream are unsigned 32-bit numbers. */
const MAX_CALLS = 0xffff_fff0;

/** Observes the start and end of calls. */
export interface CallObserver {
  onCallStart(): void;
  onCallEnd(error?: GatewayError): void;
}

/** Opens multiplexed calls over one long-lived stream, which is opened on first use, reopened when it breaks, and renewed periodically. */
export class MuxClient {
  readonly #client: Client;
  readonly #method: Method;
  readonly #lifeMs: number;
  readonly #observer: CallObserver;
  readonly #streams = new Set<MuxStream>();
  #current: MuxStream | undefined;

  /** `lifeMs`: a stream is replaced after this long, so that every gRPC call has a deadline and load spreads anew. */
  constructor(client: Client, method: Method, lifeMs: number, observer: CallObserver) {
    this.#client = client;
    this.#method = method;
    this.#lifeMs = lifeMs;
    this.#observer = observer;
  }

  open(request: unknown, observer: StreamObserver<unknown>, init: MultiplexedInit, deadlineMs: number): MultiplexedCall {
    if (this.#current && !this.#current.usable) {
      this.#current.retire();
      this.#current = undefined;
    }
    this.#current ??= this.#start();
    return this.#current.open(request, observer, init, deadlineMs);
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #start(): MuxStream {
    const stream: MuxStream = new MuxStream(this.#client, this.#method, this.#lifeMs, this.#observer, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream;
  }
}

/** One gRPC stream that carries many multiplexed calls. */
class MuxStream {
  readonly #call: ClientDuplexStream<Frame, Frame>;
  readonly #writer: FrameWriter;
  readonly #live = new ObjectMap<ClientCall>();
  readonly #renewAt: number;
  readonly #observer: CallObserver;
  readonly #onEnd: () => void;
  #broken = false;
  #retired = false;
  #lastId = 0;

  constructor(client: Client, method: Method, lifeMs: number, observer: CallObserver, onEnd: () => void) {
    const deadline = Date.now() + lifeMs + STREAM_GRACE_MS;
    this.#renewAt = performance.now() + lifeMs;
    this.#observer = observer;
    this.#onEnd = onEnd;
    this.#call = client.makeBidiStreamRequest(method.path, createFrameSerializer(method), method.responseDeserialize, new Metadata(), {
      deadline,
    }) as ClientDuplexStream<Frame, Frame>;
    this.#writer = new FrameWriter(this.#call);
    this.#call.on('data', (frame: Frame) => this.#read(frame));
    this.#call.on('error', (error) => this.#break(error));
    this.#call.on('end', () => this.#break(new Error('the service ended the stream')));
    cancelUnlessConnected(client, this.#call);
  }

  get usable(): boolean {
    return !this.#broken && performance.now() < this.#renewAt && this.#lastId < MAX_CALLS;
  }

  open(request: unknown, observer: StreamObserver<unknown>, init: MultiplexedInit, deadlineMs: number): MultiplexedCall {
    const id = ++this.#lastId;
    const call = new ClientCall(id, observer, this.#writer, deadlineMs, init.signal, (error) => {
      this.#live.delete(id);
      this.#observer.onCallEnd(error);
      if (this.#retired) this.retire();
    });
    this.#live.set(id, call);
    this.#observer.onCallStart();
    const open = {
      caller: init.caller,
      deadlineMs: Math.ceil(deadlineMs),
      traceparent: toTraceparent(toSpanParent(init)),
      credit: WINDOW_BYTES,
    };
    const { weight = 0, rest } = init;
    this.#writer.push({ exchange: id, control: { signal: { $case: 'open', value: open } }, request, rest, weight });
    return call;
  }

  /** Accepts no new call and ends the stream after the last one. */
  retire(): void {
    this.#retired = true;
    if (this.#live.size > 0 || this.#broken) return;
    this.#writer.flush();
    this.#call.end();
  }

  destroy(): void {
    this.#call.cancel();
  }

  #read(frame: Frame): void {
    for (const envelope of frame.envelopes) this.#live.get(envelope.exchange)?.receive(envelope);
  }

  /** Fails all calls: with the error if the service itself sent it, else with SERVICE_UNAVAILABLE, as the connection is broken. */
  #break(error: Error): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#onEnd();
    const received = fromGrpcStatus(error);
    const failure = received.condition === 'NOT_IMPLEMENTED' || !received.cause ? received : toLostCallError(error);
    for (const call of this.#live.values()) call.fail(failure);
  }
}
