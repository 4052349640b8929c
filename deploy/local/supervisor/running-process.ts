import { type Logger } from 'pino';

/** How a process ended: an exit code or the signal that ended it. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running process, which can end by itself, be stopped, or be killed. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Stops the process in bounded time; may be called several times. */
  stop(): Promise<void>;
  /** Sends a signal, for fault tests. */
  kill(signal: NodeJS.Signals): void;
}

/** The log methods that the start of the gateway uses; any pino logger fits. */
export type BasicLogger = Pick<Logger, 'info' | 'warn' | 'error'>;
