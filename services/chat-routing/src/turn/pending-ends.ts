import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@parley/kit/log/logger';
import { type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { toGatewayError } from '@parley/protos/errors';
import { isRecordUnavailable } from '../conversation/record-error.ts';
import { type OnBehalf } from './on-behalf.ts';

/** Bounds of what may wait: turns, and characters of their texts. What is beyond loses its text first. */
const MAX_TURNS = 10_000;
const MAX_TEXT = 64 * 1024 * 1024;
const RETRY_MS = { first: 250, most: 5_000 };
/** A start that was under way when it was given up is committed by then, or never will be. */
const MISSING_MS = 30_000;

/** Outcomes of turns that could not be written yet. Each is tried until it is written, or until the record says that it never will be. */
export class PendingEnds {
  readonly #write: (turn: EndTurn, onBehalf: OnBehalf) => Promise<boolean>;
  readonly #log: Logger;
  readonly #closed = new AbortController();
  readonly #waiting = new Set<EndTurn>();
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
    void this.#keepTrying(turn, onBehalf, mayBeMissing ? performance.now() + MISSING_MS : 0).finally(() => this.#remove(turn));
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed.abort();
  }

  async #keepTrying(turn: EndTurn, onBehalf: OnBehalf, missingUntil: number): Promise<void> {
    for (let wait = RETRY_MS.first; !this.#closed.signal.aborted; wait = Math.min(wait * 2, RETRY_MS.most)) {
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: this.#closed.signal, ref: false }).catch(() => undefined);
      try {
        await this.#write(turn, onBehalf);
        return;
      } catch (err) {
        const isMissing = toGatewayError(err).condition === 'CONVERSATION_NOT_FOUND';
        if (isRecordUnavailable(err) || (isMissing && performance.now() < missingUntil)) continue;
        if (!isMissing || missingUntil === 0)
          this.#log.warn({ turnId: turn.turnId, requestId: onBehalf.caller.requestId, err }, 'the outcome of a turn was not recorded');
        return;
      }
    }
  }

  #remove(turn: EndTurn): void {
    this.#waiting.delete(turn);
    this.#text -= turn.text.length;
    if (this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
