import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { ConfigError } from '@parley/kit/config/read-config';
import { type Logger } from '@parley/kit/log/logger';
import { type EdgeConfig } from '../config.ts';
import { MethodNotAllowedError } from '../middleware/errors.ts';
import { acceptRequestId } from '../middleware/request-context.ts';
import { reportRefusedHead } from './access-log.ts';
import { createClientErrorHandler } from './client-error.ts';
import { writeRawError } from './raw-error.ts';

/** Bytes of a request line and its headers. */
export const MAX_HEADER_BYTES = 16 * 1_024;
/** Largest number of request headers. */
export const MAX_HEADERS = 200;
const ALLOW = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

type Timeouts = Pick<EdgeConfig, 'headersTimeoutMs' | 'requestTimeoutMs' | 'keepAliveMs'>;

/** An HTTP server that answers malformed HTTP with the error envelope. */
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
    // Node looks for slow requests this often; the answer is late by at most as much.
    connectionsCheckingInterval: Math.max(100, Math.min(5_000, headersTimeoutMs / 4)),
    // Node's own answer has no error envelope; inspectHead checks the header.
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.on('request', dispatch);
  server.on('clientError', createClientErrorHandler(log));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    // A body that will be refused by its length need not be sent at all.
    if (Number(req.headers['content-length'] ?? 0) <= MAX_ANNOUNCED) res.writeContinue();
    dispatch(req, res);
  });
  // The head is refused there, with its log line.
  server.on('checkExpectation', dispatch);
  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    const requestId = acceptRequestId(req.headers['x-request-id']);
    const refusal = new MethodNotAllowedError(ALLOW);
    reportRefusedHead(log, { requestId, method: 'CONNECT' }, refusal);
    writeRawError(socket, requestId, refusal);
  });
  return server;
}

/** Larger than any accepted body. */
const MAX_ANNOUNCED = 64 * 1_024 * 1_024;

/** Listens and gives the port. @throws ConfigError one line when the port is taken or may not be used */
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
