import { GatewayError } from '@parley/protos/errors';

const CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  // Statement timeout, shutdown, crash, starting, and a primary that became a standby.
  ...['57014', '57P01', '57P02', '57P03', '57P05', '25006'],
  // Prisma's codes for the same: unreachable, timed out, closed, pool wait, too many connections.
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'],
  // Prisma keeps only the code of errors that this package's pool throws.
  'SERVICE_UNAVAILABLE',
]);

/** SQLSTATE classes: connection exception, insufficient resources (connections, memory, disk), system error. */
const CLASSES = ['08', '53', '58'];

/** Beginnings of the messages of driver errors that have no code. */
const MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'timeout expired',
];

const DEPTH = 4;

/**
 * Whether an error, or a cause of it, means that the database is not available: down, starting, unreachable, out of resources or too slow.
 * False for errors of the statement itself.
 */
export function isDatabaseUnavailable(error: unknown, depth = DEPTH): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  if (error instanceof GatewayError) return error.condition === 'SERVICE_UNAVAILABLE';
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && (CODES.has(code) || (code.length === 5 && CLASSES.includes(code.slice(0, 2))))) return true;
  if (typeof message === 'string' && MESSAGES.some((known) => message.startsWith(known))) return true;
  return isDatabaseUnavailable(cause, depth - 1);
}

/** Maps an error of an unavailable database to SERVICE_UNAVAILABLE with its cause; returns any other error unchanged. */
export function mapDatabaseError(error: unknown): unknown {
  if (error instanceof GatewayError || !isDatabaseUnavailable(error)) return error;
  return new GatewayError('SERVICE_UNAVAILABLE', 'the database is not available', { cause: error });
}
