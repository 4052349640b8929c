import { GatewayError } from '@parley/protos/errors';
import { type Envelope, type FrameWriter } from './frames.ts';
import { fromWireError } from './grpc-status.ts';
import { type MultiplexedCall, type StreamObserver, WINDOW_BYTES } from './multiplexed-call.ts';

/** The client side of a multiplexed call. */
export class ClientCall implements MultiplexedCall {
  readonly #id: number;
  readonly #observer: StreamObserver<unknown>;
  readonly #writer: FrameWriter;
  readonly #onEnd: (error?: GatewayError) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  #done = false;
  #paused = false;
  #held: Envelope[] = [];
  /** Weight that was read and not yet returned to the server as credit, in bytes. */
  #taken = 0;
  readonly #onAbort = () => this.#giveUp(new GatewayError('CANCELLED', 'the caller cancelled'));

  /** `onEnd` is called once after the call's last write, with the error if the call failed. */
  constructor(
    id: number,
    observer: StreamObserver<unknown>,
    writer: FrameWriter,
    deadlineMs: number,
    signal: AbortSignal | undefined,
    onEnd: (error?: GatewayError) => void,
  ) {
    this.#id = id;
    this.#observer = observer;
    this.#writer = writer;
    this.#onEnd = onEnd;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#giveUp(new GatewayError('TIMEOUT', 'an internal service did not answer in time')), deadlineMs);
    this.#timer.unref();
    if (signal?.aborted) queueMicrotask(this.#onAbort);
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  receive(envelope: Envelope): void {
    if (this.#paused) {
      this.#held.push(envelope);
      return;
    }
    const signal = envelope.control?.signal;
    if (envelope.response !== undefined) {
      this.#observer.message(envelope.response);
      if (!signal) this.#take(envelope.weight);
    }
    if (this.#done) return;
    if (signal?.$case === 'error') this.fail(fromWireError(signal.value));
    else if (signal?.$case === 'end') {
      this.#close();
      this.#observer.end();
    }
  }

  fail(error: GatewayError): void {
    if (this.#done) return;
    this.#close(error);
    this.#observer.fail(error);
  }

  cancel(): void {
    if (this.#done) return;
    this.#sendCancel();
    this.#close();
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
    if (this.#taken < WINDOW_BYTES / 2 || this.#done) return;
    this.#writer.push({ exchange: this.#id, control: { signal: { $case: 'credit', value: this.#taken } }, weight: 0 });
    this.#taken = 0;
  }

  #giveUp(reason: GatewayError): void {
    if (this.#done) return;
    this.#sendCancel();
    this.#close(reason);
    this.#observer.fail(reason);
  }

  #sendCancel(): void {
    this.#writer.push({ exchange: this.#id, control: { signal: { $case: 'cancel', value: {} } }, weight: 0 });
  }

  #close(error?: GatewayError): void {
    this.#done = true;
    this.#held = [];
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#onEnd(error);
  }
}
