import { type Client, type ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import { GatewayError } from '@parley/protos/errors';
import { type CallInit } from './call.ts';
import { type Exchange, type Inlet, WINDOW } from './exchange.ts';
import { type Envelope, type Frame, FrameWriter } from './frames.ts';
import { type Method } from './method.ts';
import { fromStatus, fromWire } from './status.ts';

/** A stream is replaced after this long, so that every gRPC call has a deadline and load spreads anew. */
const STREAM_LIFE_MS = 30 * 60_000;
/** What exchanges that began late in a stream's life may still need. */
const STREAM_GRACE_MS = 30 * 60_000;

/** Opens exchanges over one long-lived stream, which is opened on first use, again when it broke, and renewed now and then. */
export class MuxClient {
  readonly #client: Client;
  readonly #method: Method;
  #stream: MuxStream | undefined;

  constructor(client: Client, method: Method) {
    this.#client = client;
    this.#method = method;
  }

  open(request: unknown, inlet: Inlet<unknown>, init: CallInit & { weight?: number }, deadlineMs: number): Exchange {
    if (this.#stream && !this.#stream.usable) {
      this.#stream.retire();
      this.#stream = undefined;
    }
    this.#stream ??= new MuxStream(this.#client, this.#method);
    return this.#stream.open(request, inlet, init, deadlineMs);
  }

  close(): void {
    this.#stream?.destroy();
  }
}

/** One gRPC call that carries many exchanges. */
class MuxStream {
  readonly #call: ClientDuplexStream<Frame, Frame>;
  readonly #writer: FrameWriter;
  readonly #live = new Map<number, ClientExchange>();
  readonly #bornAt = performance.now();
  #broken = false;
  #retired = false;
  #lastId = 0;

  constructor(client: Client, method: Method) {
    const deadline = Date.now() + STREAM_LIFE_MS + STREAM_GRACE_MS;
    this.#call = client.makeBidiStreamRequest(method.path, method.requestSerialize, method.responseDeserialize, new Metadata(), {
      deadline,
    }) as ClientDuplexStream<Frame, Frame>;
    this.#writer = new FrameWriter(this.#call);
    this.#call.on('data', (frame: Frame) => this.#read(frame));
    this.#call.on('error', (error) => this.#break(fromStatus(error)));
    this.#call.on('end', () =>
      this.#break(new GatewayError('SERVICE_UNAVAILABLE', 'an internal service closed the stream', { retryAfterMs: 1000 })),
    );
  }

  get usable(): boolean {
    return !this.#broken && performance.now() - this.#bornAt < STREAM_LIFE_MS && this.#lastId < 0xffff_fff0;
  }

  open(request: unknown, inlet: Inlet<unknown>, init: CallInit & { weight?: number }, deadlineMs: number): Exchange {
    const id = ++this.#lastId;
    const exchange = new ClientExchange(id, inlet, this.#writer, deadlineMs, init.signal, () => {
      this.#live.delete(id);
      if (this.#retired) this.retire();
    });
    this.#live.set(id, exchange);
    const open = { caller: init.caller, deadlineMs: Math.ceil(deadlineMs), traceparent: init.traceparent ?? '', credit: WINDOW };
    this.#writer.push({ exchange: id, control: { signal: { $case: 'open', value: open } }, request, weight: init.weight ?? 0 });
    return exchange;
  }

  /** Takes no new exchange and ends once the last one has. */
  retire(): void {
    this.#retired = true;
    if (this.#live.size > 0) return;
    this.#writer.flush();
    this.#call.end();
  }

  destroy(): void {
    this.#call.cancel();
  }

  #read(frame: Frame): void {
    for (const envelope of frame.envelopes) this.#live.get(envelope.exchange)?.receive(envelope);
  }

  #break(error: GatewayError): void {
    if (this.#broken) return;
    this.#broken = true;
    const failure =
      error.condition === 'CANCELLED' || error.condition === 'TIMEOUT'
        ? new GatewayError('SERVICE_UNAVAILABLE', 'the stream to an internal service broke', { cause: error })
        : error;
    for (const exchange of [...this.#live.values()]) exchange.fail(failure);
  }
}

/** One exchange as the client sees it. */
class ClientExchange implements Exchange {
  readonly #id: number;
  readonly #inlet: Inlet<unknown>;
  readonly #writer: FrameWriter;
  readonly #gone: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  #done = false;
  #paused = false;
  #held: Envelope[] = [];
  /** Weight that was read and not yet given back as credit. */
  #taken = 0;
  readonly #hangUp = () => this.#giveUp(new GatewayError('CANCELLED', 'the caller gave up'));

  constructor(
    id: number,
    inlet: Inlet<unknown>,
    writer: FrameWriter,
    deadlineMs: number,
    signal: AbortSignal | undefined,
    gone: () => void,
  ) {
    this.#id = id;
    this.#inlet = inlet;
    this.#writer = writer;
    this.#gone = gone;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#giveUp(new GatewayError('TIMEOUT', 'an internal service did not answer in time')), deadlineMs);
    this.#timer.unref();
    if (signal?.aborted) queueMicrotask(this.#hangUp);
    else signal?.addEventListener('abort', this.#hangUp, { once: true });
  }

  receive(envelope: Envelope): void {
    if (this.#paused) {
      this.#held.push(envelope);
      return;
    }
    if (envelope.response !== undefined) {
      this.#inlet.message(envelope.response);
      this.#take(envelope.weight);
    }
    const signal = envelope.control?.signal;
    if (signal?.$case === 'error') this.fail(fromWire(signal.value));
    else if (signal?.$case === 'end' && this.#close()) this.#inlet.end();
  }

  fail(error: GatewayError): void {
    if (this.#close()) this.#inlet.fail(error);
  }

  cancel(): void {
    if (!this.#close()) return;
    this.#sendCancel();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused && !this.#done) {
      const envelope = this.#held.shift();
      if (!envelope) break;
      this.receive(envelope);
    }
  }

  #take(weight: number): void {
    this.#taken += weight;
    if (this.#taken < WINDOW / 2 || this.#done) return;
    this.#writer.push({ exchange: this.#id, control: { signal: { $case: 'credit', value: this.#taken } }, weight: 0 });
    this.#taken = 0;
  }

  #giveUp(reason: GatewayError): void {
    if (!this.#close()) return;
    this.#sendCancel();
    this.#inlet.fail(reason);
  }

  #sendCancel(): void {
    this.#writer.push({ exchange: this.#id, control: { signal: { $case: 'cancel', value: {} } }, weight: 0 });
  }

  #close(): boolean {
    if (this.#done) return false;
    this.#done = true;
    this.#held = [];
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#hangUp);
    this.#gone();
    return true;
  }
}
