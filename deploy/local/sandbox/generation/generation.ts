import { type FinishReason, type TurnError } from '../state/message-tree.ts';
import { type Pacing } from './pacing.ts';

// Without pauses a reply is generated in bursts, one per event-loop turn, so that a long one can be stopped and does not block others.
const BURST = 256;

/** How a reply ended. */
export interface ReplyEnd {
  readonly reason: FinishReason;
  readonly error?: TurnError | undefined;
}

/** The pieces of a reply, and how it ends unless it is stopped. */
export interface ReplyPlan {
  readonly pieces: readonly string[];
  readonly ending: ReplyEnd;
}

/** A reply that is produced at its own pace, independent of its readers. Any number of responses can stream it from its first piece. */
export class Generation {
  readonly pieces: readonly string[];
  /** Number of pieces generated so far. */
  producedCount = 0;
  ending: ReplyEnd | undefined;
  private readonly planned: ReplyEnd;
  private readonly pacing: Pacing | undefined;
  private readonly followers = new Set<() => void>();
  private onEnd: ((generation: Generation) => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;

  private constructor(plan: ReplyPlan, pacing?: Pacing, onEnd?: (generation: Generation) => void) {
    this.pieces = plan.pieces;
    this.planned = plan.ending;
    this.pacing = pacing;
    this.onEnd = onEnd;
  }

  /** Starts a reply; `onEnd` is called once, possibly before this returns. */
  static start(plan: ReplyPlan, pacing: Pacing, onEnd?: (generation: Generation) => void): Generation {
    const generation = new Generation(plan, pacing, onEnd);
    if (pacing.delayMs > 0) generation.schedule();
    else generation.advance();
    return generation;
  }

  /** Returns a finished reply, as one piece. */
  static createFinished(text: string, ending: ReplyEnd): Generation {
    const generation = new Generation({ pieces: text === '' ? [] : [text], ending });
    generation.producedCount = generation.pieces.length;
    generation.ending = ending;
    return generation;
  }

  /** The text so far. */
  get text(): string {
    return this.pieces.slice(0, this.producedCount).join('');
  }

  /** Calls `follower` whenever there are new pieces, and at the end. Returns a function that ends the subscription. */
  subscribe(follower: () => void): () => void {
    if (this.ending === undefined) this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  /** Ends the reply at its current text. Does nothing when it has ended. */
  stop(ending: ReplyEnd = { reason: 'stopped' }): void {
    if (this.ending === undefined) this.end(ending);
  }

  private readonly advance = (): void => {
    const burst = (this.pacing?.delayMs ?? 0) > 0 ? 1 : BURST;
    this.producedCount = Math.min(this.producedCount + burst, this.pieces.length);
    if (this.producedCount === this.pieces.length) return this.end(this.planned);
    for (const follower of this.followers) follower();
    this.schedule();
  };

  private schedule(): void {
    const pause = this.pacing?.getDeltaDelayMs(this.producedCount) ?? 0;
    if (pause > 0) this.timer = setTimeout(this.advance, pause);
    else this.immediate = setImmediate(this.advance);
  }

  private end(ending: ReplyEnd): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.ending = ending;
    this.onEnd?.(this);
    this.onEnd = undefined;
    for (const follower of this.followers) follower();
    this.followers.clear();
  }
}
