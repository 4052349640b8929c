import { type TurnTimes } from '@parley/protos/conversation/v1/conversation';

/**
 * Milestones of a turn, in the usual order; `committed` may also come later. `opened`: the connection is chosen. `committed`: the start is
 * recorded. `asked`: the request was sent to the upstream. `accepted`: the upstream accepted it. `answered`: the outcome is known.
 */
export type TurnMoment = 'opened' | 'committed' | 'asked' | 'accepted' | 'firstToken' | 'answered';

type Moments = Record<TurnMoment, number | undefined>;

/**
 * Records when a turn reached its milestones. Starts when chat-routing receives the request; `edgeMs` is the time in milliseconds that the
 * edge spent on it before, undefined when unknown.
 */
export class TurnClock {
  readonly #edgeMs: number | undefined;
  readonly #receivedAt = performance.now();
  readonly #at: Moments = {
    opened: undefined,
    committed: undefined,
    asked: undefined,
    accepted: undefined,
    firstToken: undefined,
    answered: undefined,
  };

  constructor(edgeMs: number | undefined) {
    this.#edgeMs = edgeMs;
  }

  /** Records a milestone at the current time. Only the first call for each milestone counts: a second attempt notes `asked` again. */
  note(moment: TurnMoment): void {
    this.#at[moment] ??= performance.now();
  }

  has(moment: TurnMoment): boolean {
    return this.#at[moment] !== undefined;
  }

  /** Milliseconds since a milestone; 0 when the turn has not reached it. */
  since(moment: TurnMoment): number {
    const at = this.#at[moment];
    return at === undefined ? 0 : performance.now() - at;
  }

  /** Milliseconds between two milestones; undefined unless the turn has reached both. */
  between(from: TurnMoment, to: TurnMoment): number | undefined {
    const [begin, end] = [this.#at[from], this.#at[to]];
    return begin === undefined || end === undefined ? undefined : end - begin;
  }

  /** Milliseconds since the request's headers arrived at the edge. */
  get totalMs(): number {
    return (this.#edgeMs ?? 0) + performance.now() - this.#receivedAt;
  }

  /** The milestones in whole milliseconds since the request's arrival at the edge, for the turn record. Undefined where not reached. */
  times(): TurnTimes {
    const { committed, asked, accepted, firstToken, answered } = this.#at;
    return {
      routedMs: this.#edgeMs,
      committedMs: this.#toMs(committed),
      askedMs: this.#toMs(asked),
      acceptedMs: this.#toMs(accepted),
      firstTokenMs: this.#toMs(firstToken),
      answeredMs: this.#toMs(answered),
    };
  }

  #toMs(at: number | undefined): number | undefined {
    return at === undefined ? undefined : Math.round((this.#edgeMs ?? 0) + at - this.#receivedAt);
  }
}
