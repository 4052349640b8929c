import { type Control } from '@parley/protos/common/v1/frame';
import { type EncodedFields } from './multiplexed-call.ts';

/** One message of one exchange inside a frame; see parley/common/v1/frame.proto. */
export interface Envelope {
  exchange: number;
  control?: Control;
  request?: unknown;
  /** What the request goes on with, as it is on the wire. Only a client writes it. */
  rest?: EncodedFields | undefined;
  response?: unknown;
  /** What the message costs of the reader's window. */
  weight: number;
}

/** What one write on a multiplexed stream carries. */
export interface Frame {
  envelopes: Envelope[];
}

/** The part of a gRPC stream that frames are written to. */
interface FrameSink {
  write(frame: Frame): boolean;
}

/** Frames stay well below the receive limit: an envelope heavier than this travels alone. */
const FRAME_WEIGHT = 256 * 1024;

/**
 * Collects the envelopes of one event-loop turn and writes them as one frame.
 * The bytes that pile up here are bounded by the windows of the exchanges.
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
