import { type Expectation } from '../mock/scripts.ts';

interface Common {
  /** Base URL of the target, without a path. */
  url: string;
  headers: Record<string, string>;
  body: string;
  expect: Expectation;
}

/** As many answers as the target gives with a fixed number of connections, each with one request in flight. */
export interface ClosedLoopJob extends Common {
  kind: 'closed-loop';
  connections: number;
  warmMs: number;
  windowMs: number;
}

/** Requests at a fixed rate, however slow the answers are. */
export interface OpenLoopJob extends Common {
  kind: 'open-loop';
  perSecond: number;
  warmMs: number;
  windowMs: number;
}

/** Streams that are opened and held until the mock releases them. */
export interface HoldJob extends Common {
  kind: 'hold';
  streams: number;
  /** Rest between the first half and the second, for whoever measures. */
  pauseMs: number;
}

/** One piece of work for the load process. */
export type Job = ClosedLoopJob | OpenLoopJob | HoldJob;

/** Times of the window's answers in ms, unsorted. */
export interface Timings {
  /** Request sent → answer complete. */
  totalMs: number[];
  /** Request sent → first text of a stream. */
  firstPieceMs: number[];
  /** Piece stamped by the mock → piece read by the load (one way). */
  pieceDelayMs: number[];
}

/** What a job came to. */
export interface JobResult {
  /** Complete, checked answers inside the window. */
  answered: number;
  /** Length of the window in s. */
  seconds: number;
  /** Complete, checked answers of the whole job, warm-up and drain included. */
  answeredEver: number;
  /** Everything that was no complete, correct answer: reason → count, whole job. */
  failures: Record<string, number>;
  /** Body bytes of the window's answers. */
  bodyBytes: number;
  timings: Timings;
}

/** What the load process tells its parent while a job runs; `open` and `closed` are the window's edges, `held` means half of the streams are open, then all. */
export type LoadEvent =
  { event: 'ready' | 'open' | 'closed' | 'held' } | { event: 'result'; result: JobResult } | { event: 'failed'; message: string };
