import { type Client, type ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import { KeyTable } from '../collections/key-table.ts';
import { type GatewayError } from '@parley/protos/errors';
import { ClientCall } from './client-call.ts';
import { type MultiplexedCall, type MultiplexedInit, type StreamObserver, WINDOW } from './multiplexed-call.ts';
import { type Frame, FrameWriter } from './frames.ts';
import { serializeFrames } from './long-request.ts';
import { type Method } from './method.ts';
import { requireConnection } from './require-connection.ts';
import { fromStatus, unavailable } from './status.ts';

/** What exchanges that began late in a stream's life may still need. */
const STREAM_GRACE_MS = 30 * 60_000;
/** A stream of this many exchanges has used up its numbers. */
const MAX_EXCHANGES = 0xffff_fff0;

/** Who counts the exchanges of a stream. */
export interface CallWatch {
  began(): void;
  ended(error?: GatewayError): void;
}

/** Opens exchanges over one long-lived stream, which is opened on first use, again when it broke, and renewed now and then. */
export class MuxClient {
  readonly #client: Client;
  readonly #method: Method;
  readonly #lifeMs: number;
  readonly #watch: CallWatch;
  readonly #streams = new Set<MuxStream>();
  #current: MuxStream | undefined;

  /** `lifeMs`: a stream is replaced after this long, so that every gRPC call has a deadline and load spreads anew. */
  constructor(client: Client, method: Method, lifeMs: number, watch: CallWatch) {
    this.#client = client;
    this.#method = method;
    this.#lifeMs = lifeMs;
    this.#watch = watch;
  }

  open(request: unknown, inlet: StreamObserver<unknown>, init: MultiplexedInit, deadlineMs: number): MultiplexedCall {
    if (this.#current && !this.#current.usable) {
      this.#current.retire();
      this.#current = undefined;
    }
    this.#current ??= this.#start();
    return this.#current.open(request, inlet, init, deadlineMs);
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #start(): MuxStream {
    const stream: MuxStream = new MuxStream(this.#client, this.#method, this.#lifeMs, this.#watch, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream;
  }
}

/** One gRPC call that carries many exchanges. */
class MuxStream {
  readonly #call: ClientDuplexStream<Frame, Frame>;
  readonly #writer: FrameWriter;
  readonly #live = new KeyTable<ClientCall>();
  readonly #renewAt: number;
  readonly #watch: CallWatch;
  readonly #gone: () => void;
  #broken = false;
  #retired = false;
  #lastId = 0;

  constructor(client: Client, method: Method, lifeMs: number, watch: CallWatch, gone: () => void) {
    const deadline = Date.now() + lifeMs + STREAM_GRACE_MS;
    this.#renewAt = performance.now() + lifeMs;
    this.#watch = watch;
    this.#gone = gone;
    this.#call = client.makeBidiStreamRequest(method.path, serializeFrames(method), method.responseDeserialize, new Metadata(), {
      deadline,
    }) as ClientDuplexStream<Frame, Frame>;
    this.#writer = new FrameWriter(this.#call);
    this.#call.on('data', (frame: Frame) => this.#read(frame));
    this.#call.on('error', (error) => this.#break(error));
    this.#call.on('end', () => this.#break(new Error('the service ended the stream')));
    requireConnection(client, this.#call);
  }

  get usable(): boolean {
    return !this.#broken && performance.now() < this.#renewAt && this.#lastId < MAX_EXCHANGES;
  }

  open(request: unknown, inlet: StreamObserver<unknown>, init: MultiplexedInit, deadlineMs: number): MultiplexedCall {
    const id = ++this.#lastId;
    const exchange = new ClientCall(id, inlet, this.#writer, deadlineMs, init.signal, (error) => {
      this.#live.delete(id);
      this.#watch.ended(error);
      if (this.#retired) this.retire();
    });
    this.#live.set(id, exchange);
    this.#watch.began();
    const open = { caller: init.caller, deadlineMs: Math.ceil(deadlineMs), traceparent: init.traceparent ?? '', credit: WINDOW };
    const { weight = 0, rest } = init;
    this.#writer.push({ exchange: id, control: { signal: { $case: 'open', value: open } }, request, rest, weight });
    return exchange;
  }

  /** Takes no new exchange and ends once the last one has. */
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

  /** A refusal of the service itself is passed on; everything else means that the way to it is broken. */
  #break(error: Error): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#gone();
    const told = fromStatus(error);
    const failure = told.condition === 'NOT_IMPLEMENTED' || !told.cause ? told : unavailable(error);
    for (const exchange of this.#live.values()) exchange.fail(failure);
  }
}
