import { types } from 'node:util';
import { mask } from './mask.ts';

const MESSAGE_LIMIT = 500;
const CAUSES = 4;

/** The fields that a log line has for an error. */
export interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  stack?: string;
  cause?: LoggedError;
}

/**
 * An error for the log: name, code, message, stack frames and causes, with secrets masked.
 * Every other property is left out, since drivers and clients hang rows, request bodies and headers on their errors.
 */
export function serializeError(error: unknown, depth = 0): LoggedError {
  if (!isError(error)) return { type: typeof error, message: shorten(String(error)) };
  const logged: LoggedError = { type: error.name, message: shorten(error.message) };
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' || typeof code === 'number') logged.code = code;
  const stack = frames(error.stack);
  if (stack) logged.stack = stack;
  if (error.cause !== undefined && depth < CAUSES) logged.cause = serializeError(error.cause, depth + 1);
  return logged;
}

function shorten(message: string): string {
  const masked = mask(message);
  return masked.length > MESSAGE_LIMIT ? `${masked.slice(0, MESSAGE_LIMIT)}…` : masked;
}

/** The stack repeats the message, unmasked and in full; only its frames are wanted. */
function frames(stack: string | undefined): string {
  const lines = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return lines.map((line) => line.trim()).join('\n');
}

/** Also for errors of another realm, which `instanceof` does not know (a worker's, a vm context's). */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
