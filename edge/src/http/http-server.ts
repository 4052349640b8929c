import { ConfigError } from '@parley/kit/config/read-config';
import { type Logger } from '@parley/kit/log/logger';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { type EdgeConfig } from '../config.ts';
import { MethodNotAllowedError } from '../middleware/errors.ts';
import { toRequestId } from '../middleware/request-context.ts';
import { reportRefusedHead } from './access-log.ts';
import { createClientErrorHandler } from './client-error.ts';
import { writeRawError } from './raw-error.ts';

/** Largest size of a request line and its headers, in bytes. */
export const MAX_HEADER_BYTES = 16 * 1_024;
/** Largest number of request headers. */
export const MAX_HEADERS = 200;
const ALLOW = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

type Timeouts = Pick<EdgeConfig, 'headersTimeoutMs' | 'requestTimeoutMs' | 'keepAliveMs'>;

/** Returns an HTTP server, not listening yet, that passes requests to `dispatch` and answers malformed HTTP with the error envelope. */
export function createHttpServer(
  dispatch: RequestListener,
  { headersTimeoutMs, requestTimeoutMs, keepAliveMs }: Timeouts,
  log: Logger,
): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    requestTimeout: Math.max(requestTimeoutMs, headersTimeoutMs),
    keepAliveTimeout: keepAliveMs,
    // Node checks for slow requests at this interval; the timeout answer is late by at most as much.
    connectionsCheckingInterval: Math.max(100, Math.min(5_000, headersTimeoutMs / 4)),
    // Node's own answer has no error envelope; findHeadError checks the header.
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.on('request', dispatch);
  server.on('clientError', createClientErrorHandler(log));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // A body that will be refused for its length need not be sent.
    if (Number(req.headers['content-length'] ?? 0) <= MAX_ANNOUNCED) res.writeContinue();
    dispatch(req, res);
  });
  // `dispatch` refuses the expectation when it inspects the head, with a log line.
  server.on('checkExpectation', dispatch);
  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    const requestId = toRequestId(req.headers['x-request-id']);
    const refusal = new MethodNotAllowedError(ALLOW);
    reportRefusedHead(log, { requestId, method: 'CONNECT' }, refusal);
    writeRawError(socket, requestId, refusal);
  });
  return server;
}

/** Largest announced body, in bytes, for which `100 Continue` is sent; larger than any accepted body. */
const MAX_ANNOUNCED = 64 * 1_024 * 1_024;

/**
 * Listens and returns the port.
 * @throws ConfigError with a one-line message when the port is in use, is not allowed, or the host is not an address of this machine
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenError(error, host, port));
    server.once('error', fail);
    server.listen({ host, port, backlog: 1_024 }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(`port ${port} of ${host} is taken; choose another one with PARLEY_PORT`);
    case 'EACCES':
      return new ConfigError(`port ${port} of ${host} may not be used by this user; choose another one with PARLEY_PORT`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`${host} is not an address of this machine; check PARLEY_HOST`);
    case undefined:
    default:
      return error;
  }
}
