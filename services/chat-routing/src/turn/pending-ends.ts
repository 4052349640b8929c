import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { isMissing, isRecordUnavailable } from '../conversation/record-error.ts';
import { type OnBehalf } from './on-behalf.ts';

/** Bounds of what may wait: turns, and characters of their texts. What is beyond loses its text first. */
const MAX_TURNS = 10_000;
const MAX_TEXT = 64 * 1024 * 1024;
const RETRY_MS = { first: 250, most: 5_000 };
/**
 * A start that was under way when it was given up is committed at once, or when a replica of the record that was frozen goes on: it is looked for often
 * at first, and then now and again.
 */
const MISSING_MS = { often: 30_000, rarely: 20_000, most: 600_000 };

/** Outcomes of turns that could not be written yet. Each is tried until it is written, or until the record says that it never will be. */
export class PendingEnds {
  readonly #write: (turn: EndTurn, onBehalf: OnBehalf) => Promise<boolean>;
  readonly #log: Logger;
  readonly #closed = new AbortController();
  readonly #waiting = new Set<EndTurn>();
  /** Those of them whose start is not there. */
  readonly #missing = new Set<EndTurn>();
  #text = 0;
  #idle: (() => void)[] = [];

  constructor(write: (turn: EndTurn, onBehalf: OnBehalf) => Promise<boolean>, log: Logger) {
    this.#write = write;
    this.#log = log;
  }

  /** `mayBeMissing`: the start may not be committed yet, or ever. */
  add(given: EndTurn, onBehalf: OnBehalf, { mayBeMissing = false } = {}): void {
    const { requestId } = onBehalf.caller;
    if (this.#waiting.size >= MAX_TURNS)
      return this.#log.error({ turnId: given.turnId, requestId }, 'too many outcomes wait: one was dropped');
    const turn = this.#text + given.text.length > MAX_TEXT ? { ...given, text: '' } : given;
    this.#waiting.add(turn);
    this.#text += turn.text.length;
    void this.#keepTrying(turn, onBehalf, mayBeMissing).finally(() => this.#remove(turn));
  }

  /** Resolves when nothing waits but turns whose start the record does not have: should it come to have one, the reaper closes it. */
  async idle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed.abort();
  }

  async #keepTrying(turn: EndTurn, onBehalf: OnBehalf, mayBeMissing: boolean): Promise<void> {
    const began = performance.now();
    for (let wait: number = RETRY_MS.first; !this.#closed.signal.aborted; wait = Math.min(wait * 2, RETRY_MS.most)) {
      if (this.#missing.has(turn) && performance.now() - began > MISSING_MS.often) wait = MISSING_MS.rarely;
      await pause(wait * (0.5 + Math.random() / 2), this.#closed.signal);
      try {
        await this.#write(turn, onBehalf);
        return;
      } catch (err) {
        const isNotThere = mayBeMissing && isMissing(err);
        if (isNotThere) this.#noteMissing(turn);
        if (isRecordUnavailable(err) || (isNotThere && performance.now() - began < MISSING_MS.most)) continue;
        if (!isNotThere)
          this.#log.warn({ turnId: turn.turnId, requestId: onBehalf.caller.requestId, err }, 'the outcome of a turn was not recorded');
        return;
      }
    }
  }

  #noteMissing(turn: EndTurn): void {
    this.#missing.add(turn);
    this.#tellIdle();
  }

  #remove(turn: EndTurn): void {
    this.#waiting.delete(turn);
    this.#missing.delete(turn);
    this.#text -= turn.text.length;
    this.#tellIdle();
  }

  #isIdle(): boolean {
    return this.#waiting.size === this.#missing.size;
  }

  #tellIdle(): void {
    if (!this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
