import { type Control } from '@parley/protos/common/v1/frame';
import { type EncodedFields } from './multiplexed-call.ts';

/** One message of one multiplexed call inside a frame; see parley/common/v1/frame.proto. */
export interface Envelope {
  exchange: number;
  control?: Control;
  request?: unknown;
  /** Further fields of the request, already encoded. Only a client writes them. */
  rest?: EncodedFields | undefined;
  response?: unknown;
  /** How much of the reader's window the message uses, in bytes. */
  weight: number;
}

/** One write on a multiplexed stream. */
export interface Frame {
  envelopes: Envelope[];
}

/** The writable side of a gRPC stream. */
interface FrameSink {
  write(frame: Frame): boolean;
}

/** Maximum weight of a frame in bytes, well below the receive limit; an envelope heavier than this is sent alone. */
const FRAME_WEIGHT = 256 * 1024;

/**
 * Collects the envelopes of one event-loop turn and writes them as one frame.
 * The buffered bytes are bounded by the windows of the calls.
 */
export class FrameWriter {
  readonly #sink: FrameSink;
  #waiting: Envelope[] = [];
  #weight = 0;
  #scheduled = false;
  #flush = () => {
    this.#scheduled = false;
    this.flush();
  };

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  push(envelope: Envelope): void {
    if (this.#weight + envelope.weight > FRAME_WEIGHT || envelope.rest) this.flush();
    this.#waiting.push(envelope);
    this.#weight += envelope.weight;
    if (envelope.rest) return this.flush();
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const envelopes = this.#waiting;
    this.#waiting = [];
    this.#weight = 0;
    this.#sink.write({ envelopes });
  }
}
