import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { type Duplex } from 'node:stream';
import { toRequestId } from '../middleware/request-context.ts';
import { reportRefusedHead } from './access-log.ts';
import { writeRawError } from './raw-error.ts';
import { isSendingResponse } from './socket-state.ts';

interface ParserError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** Milliseconds after which a rejected connection is destroyed when its client has not closed it. */
const LINGER_MS = 2_000;
const GIVEN_ID = /(?:^|\n)x-request-id:[ \t]*([^\r\n]*?)[ \t]*\r?\n/i;

/** Returns the handler of `clientError`: it answers what the HTTP parser refuses with the error envelope, and closes the connection. */
export function createClientErrorHandler(log: Logger): (error: Error, socket: Duplex) => void {
  return (error: ParserError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isSendingResponse(socket)) return void socket.destroy();
    const refusal = refusalOf(error);
    const requestId = toRequestId(GIVEN_ID.exec(error.rawPacket?.toString('latin1') ?? '')?.[1]);
    reportRefusedHead(log, { requestId, parser: error.code }, refusal);
    socket.on('error', () => undefined);
    writeRawError(socket, requestId, refusal);
    // A client that never closes its side must not keep the connection open.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function refusalOf(error: ParserError): GatewayError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError('HEADERS_TOO_LARGE', 'the headers are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('REQUEST_TIMEOUT', 'the request did not arrive in time');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new GatewayError('REQUEST_TOO_LARGE', 'the chunk extensions are too large');
    case undefined:
    default:
      return new GatewayError('INVALID_REQUEST', 'the request is not well-formed HTTP');
  }
}
