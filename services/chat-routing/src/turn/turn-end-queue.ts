import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { isConversationNotFound, isOutcomeUncertain } from '../conversation/conversation-errors.ts';
import { type TurnCaller } from './turn-caller.ts';

/** Limits of the queue: turns, and characters of their texts. Beyond the second an outcome is queued without its text. */
const MAX_TURNS = 10_000;
const MAX_TEXT = 64 * 1024 * 1024;
const RETRY_MS = { first: 250, most: 5_000 };
/**
 * How long and how often an end whose start is missing is retried. Such a start is committed within moments, or when a frozen replica of
 * the conversation service resumes: retries are frequent until `often`, then every `rarely`, and stop after `most`.
 */
const MISSING_MS = { often: 30_000, rarely: 20_000, most: 600_000 };

/** Queue of turn outcomes that could not be recorded yet. Each is retried until it is recorded or permanently rejected. */
export class TurnEndQueue {
  readonly #write: (turn: EndTurn, onBehalf: TurnCaller) => Promise<boolean>;
  readonly #log: Logger;
  readonly #closed = new AbortController();
  readonly #waiting = new Set<EndTurn>();
  /** The subset of `#waiting` whose start the conversation service does not have. */
  readonly #missing = new Set<EndTurn>();
  #text = 0;
  #idle: (() => void)[] = [];

  constructor(write: (turn: EndTurn, onBehalf: TurnCaller) => Promise<boolean>, log: Logger) {
    this.#write = write;
    this.#log = log;
  }

  /** Queues an outcome; never throws. `mayBeMissing`: the start may not be committed yet, or ever. */
  add(given: EndTurn, onBehalf: TurnCaller, { mayBeMissing = false } = {}): void {
    const { requestId } = onBehalf.caller;
    if (this.#waiting.size >= MAX_TURNS)
      return this.#log.error({ turnId: given.turnId, requestId }, 'too many outcomes wait: one was dropped');
    const turn = this.#text + given.text.length > MAX_TEXT ? { ...given, text: '' } : given;
    this.#waiting.add(turn);
    this.#text += turn.text.length;
    void this.#keepTrying(turn, onBehalf, mayBeMissing).finally(() => this.#remove(turn));
  }

  /** Resolves when only outcomes without a recorded start remain. If such a start is committed later, the reaper closes the turn. */
  async waitUntilIdle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed.abort();
  }

  async #keepTrying(turn: EndTurn, onBehalf: TurnCaller, mayBeMissing: boolean): Promise<void> {
    const began = performance.now();
    for (let wait: number = RETRY_MS.first; !this.#closed.signal.aborted; wait = Math.min(wait * 2, RETRY_MS.most)) {
      if (this.#missing.has(turn) && performance.now() - began > MISSING_MS.often) wait = MISSING_MS.rarely;
      await pause(wait * (0.5 + Math.random() / 2), this.#closed.signal);
      try {
        await this.#write(turn, onBehalf);
        return;
      } catch (err) {
        const isNotThere = mayBeMissing && isConversationNotFound(err);
        if (isNotThere) this.#noteMissing(turn);
        if (isOutcomeUncertain(err) || (isNotThere && performance.now() - began < MISSING_MS.most)) continue;
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
