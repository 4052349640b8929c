import { type Logger } from 'pino';

/** How a part ended: an exit code or the signal that ended it. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running part: a process that can end by itself, be stopped, or be killed. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Stops the part in bounded time; may be called several times. */
  stop(): Promise<void>;
  /** Sends a signal, for fault tests. */
  kill(signal: NodeJS.Signals): void;
}

/** The log methods that parts use; any pino logger fits. */
export type BasicLogger = Pick<Logger, 'info' | 'warn' | 'error'>;
