import { type Expectation, stampedAt } from '../mock/scripts.ts';
import { problemOf } from './check.ts';
import { type Exchange } from './connection.ts';
import { type JobResult } from './protocol.ts';

const NS_PER_MS = 1e6;

/** Counts what the answers of one job come to; only what completes between open() and close() belongs to the window. */
export class Tally {
  readonly #timed: boolean;
  readonly #result: JobResult;
  #openedAt: number | undefined;
  #open = false;
  #failed = 0;

  /** `timed`: every answer and chunk is timed, which costs the load something. */
  constructor(timed: boolean) {
    this.#timed = timed;
    const timings = { totalMs: [], firstPieceMs: [], pieceDelayMs: [] };
    this.#result = { answered: 0, seconds: 0, answeredEver: 0, aborted: 0, failures: {}, bodyBytes: 0, timings };
  }

  /** Failures so far; a job gives up when there are too many. */
  get failed(): number {
    return this.#failed;
  }

  open(): void {
    this.#open = true;
    this.#openedAt = performance.now();
  }

  close(): void {
    if (this.#openedAt === undefined || !this.#open) return;
    this.#open = false;
    this.#result.seconds = (performance.now() - this.#openedAt) / 1000;
  }

  fail(reason: string): void {
    this.#failed += 1;
    this.#result.failures[reason] = (this.#result.failures[reason] ?? 0) + 1;
  }

  /** Counts a stream that the load itself broke off. */
  abort(): void {
    this.#result.aborted += 1;
  }

  result(): JobResult {
    return this.#result;
  }

  /** The exchange of one request with what its answer must hold; `then` is called once with whether it was answered. */
  exchange(expect: Expectation, then: (answered: boolean) => void): Exchange {
    const sentAt = this.#timed ? performance.now() : 0;
    const exchange: Exchange = {
      onAnswer: (answer) => {
        const problem = problemOf(answer, expect);
        if (problem === undefined) this.#answered(answer.bodyBytes, sentAt);
        else this.fail(problem);
        then(problem === undefined);
      },
      onFailure: (reason) => {
        this.fail(reason);
        then(false);
      },
    };
    if (this.#timed && expect.streamed) exchange.onPiece = this.#pieceTimer(sentAt);
    return exchange;
  }

  #answered(bodyBytes: number, sentAt: number): void {
    this.#result.answeredEver += 1;
    if (!this.#open) return;
    this.#result.answered += 1;
    this.#result.bodyBytes += bodyBytes;
    if (this.#timed) this.#result.timings.totalMs.push(performance.now() - sentAt);
  }

  #pieceTimer(sentAt: number): (text: string) => void {
    let first = true;
    return (text) => {
      if (!this.#open) return;
      if (first) this.#result.timings.firstPieceMs.push(performance.now() - sentAt);
      first = false;
      const stamped = stampedAt(text);
      if (stamped !== undefined) this.#result.timings.pieceDelayMs.push(Number(process.hrtime.bigint() - stamped) / NS_PER_MS);
    };
  }
}
