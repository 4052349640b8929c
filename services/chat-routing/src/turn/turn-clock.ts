import { type TurnTimes } from '@parley/protos/conversation/v1/conversation';

/** What a turn comes to, in the usual order; the start may also be committed later. `opened`: it has a connection. */
export type TurnMoment = 'opened' | 'committed' | 'asked' | 'accepted' | 'firstToken' | 'answered';

type Moments = Record<TurnMoment, number | undefined>;

/** When a turn came to what. Begins when chat-routing gets the request; `edgeMs` is the time that the edge had it before. */
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

  /** Notes that the turn comes to this now. Only the first time counts: the attempt after a failed one asks again. */
  note(moment: TurnMoment): void {
    this.#at[moment] ??= performance.now();
  }

  has(moment: TurnMoment): boolean {
    return this.#at[moment] !== undefined;
  }

  /** Milliseconds since a moment; 0 where the turn has not come to it. */
  since(moment: TurnMoment): number {
    const at = this.#at[moment];
    return at === undefined ? 0 : performance.now() - at;
  }

  /** Milliseconds from one moment to another; undefined where the turn has not come to both. */
  between(from: TurnMoment, to: TurnMoment): number | undefined {
    const [begin, end] = [this.#at[from], this.#at[to]];
    return begin === undefined || end === undefined ? undefined : end - begin;
  }

  /** Milliseconds since the head of the request arrived at the edge. */
  get totalMs(): number {
    return (this.#edgeMs ?? 0) + performance.now() - this.#receivedAt;
  }

  /** The moments as the record keeps them. */
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
