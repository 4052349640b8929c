import { type ServerResponse } from 'node:http';
import { type WireFault } from '../faults/faults.ts';
import { writeHugeEvent } from '../faults/huge-event.ts';
import { type Generation } from './generation.ts';

const BATCH = 256;
const HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/** The frames of a stream; the constant parts are created once per stream. */
export interface StreamFrames {
  /** Sent as soon as the turn is accepted. */
  readonly opening: string;
  /** Surround the JSON string of a delta's text. */
  readonly deltaHead: string;
  readonly deltaTail: string;
  /** Frames after the delta of a piece, by its index. */
  readonly framesAfterPiece?: ReadonlyMap<number, string>;
  readonly closing: (generation: Generation) => string;
}

/** Writes one generation to one response: all available pieces in one write, no more than the client reads. */
class Delivery {
  private readonly res: ServerResponse;
  private readonly generation: Generation;
  private readonly frames: StreamFrames;
  private fault: WireFault | undefined;
  private next = 0;
  private unsent: string;
  private blocked = false;
  private readonly unfollow: () => void;

  constructor(res: ServerResponse, generation: Generation, frames: StreamFrames, fault: WireFault | undefined) {
    this.res = res;
    this.generation = generation;
    this.frames = frames;
    this.fault = fault;
    this.unsent = frames.opening;
    res.writeHead(200, HEADERS);
    res.on('drain', this.resume);
    this.unfollow = generation.subscribe(this.pump);
    res.once('close', this.unfollow);
    this.pump();
  }

  private readonly resume = (): void => {
    this.blocked = false;
    this.pump();
  };

  private readonly pump = (): void => {
    while (!this.blocked && !this.res.destroyed && !this.res.writableEnded) {
      this.collect();
      const caughtUp = this.next === this.generation.producedCount;
      const ended = caughtUp && this.generation.ending !== undefined;
      if (this.fault !== undefined && (ended || this.next === this.fault.afterChunks)) {
        this.send();
        this.trip(this.fault);
      } else if (ended) {
        this.res.end(this.unsent + this.frames.closing(this.generation));
      } else {
        this.send();
        if (caughtUp) return;
      }
    }
  };

  private collect(): void {
    const { deltaHead, deltaTail, framesAfterPiece } = this.frames;
    const end = Math.min(this.generation.producedCount, this.next + BATCH, this.fault?.afterChunks ?? Infinity);
    for (; this.next < end; this.next++) {
      this.unsent += deltaHead + JSON.stringify(this.generation.pieces[this.next]) + deltaTail + (framesAfterPiece?.get(this.next) ?? '');
    }
  }

  private send(): void {
    if (this.unsent === '') return;
    this.blocked = !this.res.write(this.unsent);
    this.unsent = '';
  }

  private trip(fault: WireFault): void {
    this.fault = undefined;
    if (fault.kind === 'bad_json') {
      this.unsent = `${this.frames.deltaHead}"not closed\n\n`;
      return;
    }
    // The other faults take over the stream: while blocked, nothing else is sent.
    this.blocked = true;
    this.res.off('drain', this.resume);
    if (fault.kind === 'cut') destroyAfterWrites(this.res);
    if (fault.kind === 'huge_event') void this.sendHuge();
  }

  private async sendHuge(): Promise<void> {
    await writeHugeEvent(this.res, this.frames.deltaHead, this.frames.deltaTail);
    this.res.on('drain', this.resume);
    this.resume();
  }
}

/** Destroys the connection after pending writes were sent: Node keeps the chunks of one event-loop turn together, hence the delay. */
export function destroyAfterWrites(res: ServerResponse): void {
  setImmediate(() => res.socket?.destroySoon());
}

/** Sends 200 with the stream of a generation. */
export function streamGeneration(res: ServerResponse, generation: Generation, frames: StreamFrames, fault?: WireFault): void {
  if (!res.destroyed) new Delivery(res, generation, frames, fault);
}
