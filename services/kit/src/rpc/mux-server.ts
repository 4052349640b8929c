import { type ServerDuplexStream } from '@grpc/grpc-js';
import { type Open } from '@parley/protos/common/v1/frame';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { ObjectMap } from '../collections/object-map.ts';
import { type CallTracker } from './call-tracker.ts';
import { OpenCall, SYSTEM_CALLER } from './call.ts';
import { type Envelope, type Frame, FrameWriter } from './frames.ts';
import { toWireError } from './grpc-status.ts';
import { type MultiplexedHandler, type ServerStream } from './multiplexed-call.ts';

/** Serves the multiplexed calls of one client's long-lived stream. A broken stream cancels its calls. */
export function serveMux(
  name: string,
  stream: ServerDuplexStream<Frame, Frame>,
  handler: MultiplexedHandler<unknown, unknown>,
  tracker: CallTracker,
): void {
  const writer = new FrameWriter(stream);
  const live = new ObjectMap<ServerCall>();

  const cancelAll = () => {
    for (const call of live.values()) call.cancel(new GatewayError('CANCELLED', 'the client disconnected'));
  };
  const endWhenIdle = () => {
    if (live.size > 0) return;
    writer.flush();
    stream.end();
  };
  let halfClosed = false;

  stream.on('data', (frame: Frame) => {
    for (const envelope of frame.envelopes) {
      const signal = envelope.control?.signal;
      if (signal?.$case === 'open') {
        const call = new ServerCall(name, envelope.exchange, signal.value, writer, tracker, () => {
          live.delete(envelope.exchange);
          if (halfClosed) endWhenIdle();
        });
        live.set(envelope.exchange, call);
        call.start(handler, envelope.request);
      } else if (signal?.$case === 'credit') live.get(envelope.exchange)?.credit(signal.value);
      else if (signal?.$case === 'cancel') live.get(envelope.exchange)?.cancel(new GatewayError('CANCELLED', 'the caller cancelled'));
    }
  });
  stream.on('end', () => {
    halfClosed = true;
    endWhenIdle();
  });
  stream.on('cancelled', cancelAll);
  stream.on('error', cancelAll);
}

/** The server side of a multiplexed call. */
class ServerCall implements ServerStream<unknown> {
  onDrain: (() => void) | null = null;
  onCancel: ((reason: GatewayError) => void) | null = null;
  readonly #method: string;
  readonly #id: number;
  readonly #call: OpenCall;
  readonly #writer: FrameWriter;
  readonly #tracker: CallTracker;
  readonly #onEnd: () => void;
  #window: number;
  #done = false;

  constructor(method: string, id: number, open: Open, writer: FrameWriter, tracker: CallTracker, onEnd: () => void) {
    this.#method = method;
    this.#id = id;
    this.#writer = writer;
    this.#tracker = tracker;
    this.#onEnd = onEnd;
    this.#window = open.credit;
    this.#call = new OpenCall(open.caller ?? SYSTEM_CALLER, open.deadlineMs, open.traceparent);
  }

  start(handler: MultiplexedHandler<unknown, unknown>, request: unknown): void {
    try {
      this.#tracker.beginCall();
    } catch (error) {
      this.#done = true;
      this.#call.settle();
      this.#refuse(toGatewayError(error));
      this.#onEnd();
      return;
    }
    this.#call.onAbort = (reason) => this.cancel(reason);
    try {
      handler(request, this, this.#call)?.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  write(response: unknown, weight: number): boolean {
    if (this.#done) return true;
    this.#window -= weight;
    this.#writer.push({ exchange: this.#id, response, weight });
    return this.#window > 0;
  }

  end(last?: unknown, weight = 0): void {
    if (this.#done) return;
    this.#writer.push({ exchange: this.#id, control: { signal: { $case: 'end', value: {} } }, response: last, weight });
    this.#close();
  }

  fail(thrown: unknown): void {
    const error = this.#tracker.toFailure(thrown, this.#call, this.#method);
    if (this.#done) return;
    this.#refuse(error);
    this.#close();
  }

  credit(weight: number): void {
    const wasClosed = this.#window <= 0;
    this.#window += weight;
    if (wasClosed && this.#window > 0 && !this.#done) this.onDrain?.();
  }

  /** Stops the work: the caller cancelled, or its deadline passed (the client has its own timer). */
  cancel(reason: GatewayError): void {
    if (this.#done) return;
    this.#close();
    this.#call.abort(reason);
    this.onCancel?.(reason);
  }

  #refuse(error: GatewayError): void {
    const envelope: Envelope = { exchange: this.#id, control: { signal: { $case: 'error', value: toWireError(error) } }, weight: 0 };
    this.#writer.push(envelope);
  }

  /** Must follow the last write: the stream may end with its last call. */
  #close(): void {
    this.#done = true;
    this.#call.settle();
    this.#onEnd();
    this.#tracker.endCall();
  }
}
