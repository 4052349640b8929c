import { GatewayError } from '@parley/protos/errors';
import busboy, { type Busboy } from 'busboy';
import { type IncomingMessage } from 'node:http';

const CHUNK_BYTES = 64 * 1_024;
/** Bytes that are buffered while the receiver is slower than the client. */
const HELD_BYTES = 4 * CHUNK_BYTES;
/** Bytes allowed for boundaries, part headers and fields around the file. */
export const FORM_OVERHEAD_BYTES = 256 * 1_024;
/** Most fields, bytes of one field, and parts including the file. */
export const PART_LIMITS = { fields: 16, fieldSize: 8 * 1_024, parts: 32 };
const FORM_TYPE = /^multipart\/form-data\s*(?:;|$)/i;

/**
 * Returns a parser for the multipart form that the request head announces; `fileBytes` is the largest file.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, FILE_TOO_LARGE, or VALIDATION_ERROR without a boundary
 */
export function openFormParser(req: IncomingMessage, fileBytes: number): Busboy {
  if (!FORM_TYPE.test(req.headers['content-type'] ?? '')) throw unsupported('the body must be multipart/form-data', 'Content-Type');
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') throw unsupported('the form must be plain', 'Content-Encoding');
  if (Number(req.headers['content-length'] ?? 0) > fileBytes + FORM_OVERHEAD_BYTES) throw fileTooLarge(fileBytes);
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      // The receiver sanitises names.
      preservePath: true,
      highWaterMark: HELD_BYTES,
      fileHwm: CHUNK_BYTES,
      // The parser rejects a file that has exactly the limit.
      limits: { ...PART_LIMITS, fileSize: fileBytes + 1 },
    });
  } catch {
    throw invalidForm('Content-Type', 'the form has no boundary');
  }
}

/** VALIDATION_ERROR for a form; `param` is the field or header. */
export function invalidForm(param: string, message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param });
}

function unsupported(message: string, param: string): GatewayError {
  return new GatewayError('UNSUPPORTED_MEDIA_TYPE', message, { param });
}

/** FILE_TOO_LARGE with the limit in bytes. */
export function fileTooLarge(fileBytes: number): GatewayError {
  return new GatewayError('FILE_TOO_LARGE', `the file is larger than ${fileBytes} bytes`, { param: 'file' });
}
