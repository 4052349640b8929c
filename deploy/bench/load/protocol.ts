import { type Expectation } from '../mock/scripts.ts';
import { type RequestParts } from './request.ts';

interface Common extends RequestParts {
  expect: Expectation;
}

/** As many answers as the target gives with a fixed number of connections, each with one request in flight. */
export interface ClosedLoopJob extends Common {
  kind: 'closed-loop';
  connections: number;
  /** Conversations to continue, in turn; absent: every request opens one. At least as many as connections. */
  conversations?: string[];
  warmMs: number;
  windowMs: number;
  /** The window ends with so many answers instead of at its time. */
  turns?: number;
  /** The result names the conversations of all answers. @default false */
  namesConversations?: boolean;
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
  /** Rest between the first half and the second, for the measurement. */
  pauseMs: number;
}

/** One kind of turn in a mix. */
export interface MixedTurn {
  body: string;
  expect: Expectation;
  /** Goes on with a conversation that an earlier answer named, where one is free. */
  continued: boolean;
  /** The load hangs up when the first text has come. */
  aborted: boolean;
}

/** Turns of several kinds, one after the other, at a fixed rate. */
export interface MixedJob {
  kind: 'mixed';
  url: string;
  headers: Record<string, string>;
  perSecond: number;
  windowMs: number;
  turns: MixedTurn[];
}

/** One piece of work for the load process. */
export type Job = ClosedLoopJob | OpenLoopJob | HoldJob | MixedJob;

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
  /** Streams that the load itself broke off after their first text. */
  aborted: number;
  /** Everything else that was no complete, correct answer: reason → count, whole job. */
  failures: Record<string, number>;
  /** Body bytes of the window's answers. */
  bodyBytes: number;
  timings: Timings;
  /** Where the job asks for them. */
  conversations?: string[];
}

/** A moment of a job: `open` and `closed` are the window's edges, `held` means half of the streams are open, then all. */
export type Edge = 'open' | 'closed' | 'held';

/** The progress of a mixed job; sent once a second. */
export interface Progress {
  answered: number;
  aborted: number;
  failed: number;
}

/** What the load process tells its parent while a job runs. */
export type LoadEvent =
  | { event: 'ready' }
  | { event: Edge; answeredEver: number }
  | { event: 'progress'; progress: Progress }
  | { event: 'result'; result: JobResult }
  | { event: 'failed'; message: string };
