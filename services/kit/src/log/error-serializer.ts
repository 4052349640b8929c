import { types } from 'node:util';
import { maskSecrets } from './mask-secrets.ts';

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
 * Converts an error for the log: name, code, message, stack frames and causes, with secrets masked. Omits every other property, since
 * drivers and clients attach rows, request bodies and headers to their errors.
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
  const masked = maskSecrets(message);
  return masked.length > MESSAGE_LIMIT ? `${masked.slice(0, MESSAGE_LIMIT)}…` : masked;
}

/** Returns the frames of a stack, without the message at its beginning, which is not masked. */
function frames(stack: string | undefined): string {
  const lines = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return lines.map((line) => line.trim()).join('\n');
}

/** Whether a value is an error, also of another realm (a worker's, a vm context's), which `instanceof` does not detect. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
