import { type DestinationStream, pino } from 'pino';
import { isError } from './error-serializer.ts';
import { maskSecrets } from './mask-secrets.ts';
import { redactLogFields } from './redact-log-fields.ts';
import { StandardOutput } from './standard-output.ts';

/** The logger of the gateway: `log.info({ jobId, ms }, 'constant message')`; an error is passed in the field `err`. */
export type Logger = pino.Logger;

/** Pino's levels and `silent`. */
export type LogLevel = pino.LevelWithSilent;

/** Options of a logger. */
export interface LoggerOptions {
  /** Name of the service, written on every line. */
  service: string;
  /** @default 'info' */
  level?: LogLevel;
  /** Receives the lines. @default standard output, written in the background and flushed on exit */
  destination?: DestinationStream;
}

/** Creates a JSON-lines logger with ISO times that never prints keys, tokens, passwords or content. */
export function createLogger({ service, level = 'info', destination = standardOutput() }: LoggerOptions): Logger {
  const log = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // `redactLogFields` has made errors safe already; pino's own serializer would change them once more.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: redactLogFields },
      hooks: { logMethod: nameLoneError },
    },
    destination,
  );
  return guardChildren(log);
}

/**
 * Redacts the fields of child loggers, for which pino does not run formatters; children inherit this, so it applies to their children too.
 */
function guardChildren(log: Logger): Logger {
  const original = (log as { child: unknown }).child as (this: Logger, fields: pino.Bindings, options?: object) => Logger;
  function child(this: Logger, fields: pino.Bindings, options?: object): Logger {
    return original.call(this, redactLogFields(fields), options);
  }
  return Object.assign(log, { child });
}

/** Masks the message of an error that is logged without a message, for which pino would use the error's own unchanged. */
function nameLoneError(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  const [first, message] = args as unknown[];
  const lone = message === undefined ? findError(first) : undefined;
  if (lone) method.call(this, first as object, maskSecrets(lone.message));
  else method.apply(this, args);
}

function findError(first: unknown): Error | undefined {
  const error = isError(first) ? first : (first as { err?: unknown } | null | undefined)?.err;
  return isError(error) ? error : undefined;
}

let output: DestinationStream | undefined;

/** Returns the standard output of this process; one for all loggers, since several on one descriptor would split each other's lines. */
function standardOutput(): DestinationStream {
  output ??= new StandardOutput();
  return output;
}
