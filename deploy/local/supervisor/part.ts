import { type Logger } from 'pino';

/** How a part ended: an exit code or the signal that ended it. */
export interface PartExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running part: something with a pid that can end by itself, be stopped, or be killed. */
export interface PartHandle {
  readonly pid: number;
  /** Settles once, when the process is gone; never rejects. */
  readonly exited: Promise<PartExit>;
  /** Ends the part in bounded time; may be called twice. */
  stop(): Promise<void>;
  /** Sends a signal, for fault tests. */
  kill(signal: NodeJS.Signals): void;
}

/** The few log methods that parts need; any pino logger fits. */
export type PartLog = Pick<Logger, 'info' | 'warn' | 'error'>;
