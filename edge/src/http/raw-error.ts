import { type GatewayError } from '@parley/protos/errors';
import { STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';
import { toErrorEnvelope, toErrorHeaders } from '../middleware/errors.ts';

/** Writes an error response to a socket that has no response object, and ends the socket. */
export function writeRawError(socket: Duplex, requestId: string, error: GatewayError): void {
  const body = JSON.stringify(toErrorEnvelope(requestId, error));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...toErrorHeaders(error),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const { http } = error.row;
  socket.end(`HTTP/1.1 ${http} ${STATUS_CODES[http] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
