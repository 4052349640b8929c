import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { BodyBuffer, concatPieces, SMALL_BODY_BYTES } from './body-buffer.ts';
import { type BodyBytesCounter } from './body-bytes-limiter.ts';
import { type BodyDecoder, decompressBody, isDecompressionBomb, MAX_COMPRESSION_RATIO } from './decompress-body.ts';
import { JsonStructureScanner } from './json-structure-scanner.ts';
import { parseQuery } from './parse-query.ts';
import { requireStorableText } from './require-storable-text.ts';

/** An accepted media type: its name for errors, and the pattern of the `Content-Type` header. */
interface BodyType {
  name: string;
  pattern: RegExp;
}

/** Limits of the size, the idle time and the complexity of a body. */
export interface BodyLimits {
  /** Largest size in bytes, before and after decompression. */
  limitBytes: number;
  /** Most values that its JSON may contain. */
  values: number;
  /** Media type of the body. @default JSON */
  type?: BodyType;
  /** How long the client may pause, in milliseconds. @default 30000 */
  idleMs?: number;
  /** Counts the bytes of a large body; `readJson` and `readForm` release it after parsing. */
  work: BodyBytesCounter;
}

/** A body that was read and is not parsed yet. */
export interface RawBody {
  /** The bytes in order; each piece of a body above `SMALL_BODY_BYTES` has its own ArrayBuffer. */
  pieces: readonly Buffer[];
  size: number;
  /** Upper bound of its JSON values: the number of commas, opening brackets and braces, plus one. */
  values: number;
}

/** Deepest nesting of a JSON body, in levels. */
export const MAX_JSON_DEPTH = 64;
const IDLE_MS = 30_000;
const JSON_TYPE: BodyType = { name: 'application/json', pattern: /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i };
const FORM_TYPE: BodyType = {
  name: 'application/x-www-form-urlencoded',
  pattern: /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i,
};

/**
 * Reads and parses the JSON body of a request.
 * @throws GatewayError as readBody and parseJson do
 */
export async function readJson(req: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  try {
    return parseJson(concatPieces((await readBody(req, limits)).pieces));
  } finally {
    limits.work.release();
  }
}

/**
 * Reads the fields of an application/x-www-form-urlencoded body; each has one value.
 * @throws GatewayError as readBody and parseQuery do
 */
export async function readForm(req: IncomingMessage, limits: BodyLimits): Promise<Record<string, string>> {
  try {
    const { pieces } = await readBody(req, { ...limits, type: FORM_TYPE });
    return parseQuery(`?${concatPieces(pieces).toString('latin1')}`);
  } finally {
    limits.work.release();
  }
}

/**
 * Reads the bytes of a body, decompressed. The caller releases `limits.work`.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, REQUEST_TOO_LARGE, REQUEST_TIMEOUT, RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when too many
 * bytes are in memory, VALIDATION_ERROR when it has too many values or is nested too deep, CANCELLED when the client disconnected
 */
export async function readBody(req: IncomingMessage, limits: BodyLimits): Promise<RawBody> {
  checkHead(req, limits);
  const encoding = req.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return collect(req, req, limits);
  const plain = decompressBody(req, encoding);
  if (!plain)
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be plain, gzip, deflate or br', { param: 'Content-Encoding' });
  return collect(req, plain, limits);
}

/**
 * Parses the bytes of a JSON body and checks its text.
 * @throws GatewayError VALIDATION_ERROR with the param `body` or the path of the invalid text (malformed, not UTF-8, a lone surrogate,
 * U+0000)
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalid('the request needs a JSON body');
  if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  const value = parse(text);
  requireStorableText(text, value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, which must not be logged.
    throw invalid('the body is not valid JSON');
  }
}

function checkHead(req: IncomingMessage, { limitBytes, type = JSON_TYPE }: BodyLimits): void {
  const given = req.headers['content-type'];
  if (given !== type.name && !type.pattern.test(given ?? '')) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `the body must be ${type.name}`, { param: 'Content-Type' });
  }
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/**
 * Collects `source`, which is the request or its decoder. It checks each chunk as it arrives, so that a decompression bomb is stopped early
 * and there is no long pass over a large body.
 */
function collect(req: IncomingMessage, source: IncomingMessage | BodyDecoder, limits: BodyLimits): Promise<RawBody> {
  const { limitBytes, values, idleMs = IDLE_MS } = limits;
  return new Promise((resolve, reject) => {
    const body = new BodyBuffer();
    const scan = new JsonStructureScanner({ depth: MAX_JSON_DEPTH, values });
    const settle = (deliver: () => void) => {
      clearTimeout(idle);
      source.off('data', take).off('end', finish).off('error', fail);
      req.off('close', gone);
      // A decoder that is dropped before its end may still emit an error.
      source.on('error', () => undefined);
      if (source !== req) req.unpipe();
      // The rest is discarded, so that the answer can be read on the same connection.
      req.resume();
      deliver();
    };
    const take = (chunk: Buffer) => {
      try {
        const size = body.size + chunk.length;
        if (size > limitBytes) throw tooLarge(limitBytes);
        if (source !== req && isDecompressionBomb(source as BodyDecoder, size)) throw inflates();
        if (size > SMALL_BODY_BYTES) limits.work.add(body.size > SMALL_BODY_BYTES ? chunk.length : size);
        scan.feed(chunk);
        body.push(chunk);
        idle.refresh();
      } catch (error) {
        settle(() => reject(toGatewayError(error)));
      }
    };
    const finish = () => settle(() => resolve({ pieces: body.pieces(), size: body.size, values: scan.values }));
    const fail = () => settle(() => reject(source === req ? gaveUp() : invalid('the body does not decompress')));
    const gone = () => {
      if (!req.complete) settle(() => reject(gaveUp()));
    };
    const idle = setTimeout(() => settle(() => reject(new GatewayError('REQUEST_TIMEOUT', 'the body did not arrive in time'))), idleMs);
    source.on('data', take).on('end', finish).on('error', fail);
    req.on('close', gone);
  });
}

function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param: 'body' });
}

function tooLarge(limitBytes: number): GatewayError {
  return new GatewayError('REQUEST_TOO_LARGE', `the body is larger than ${limitBytes} bytes`, { param: 'body' });
}

function inflates(): GatewayError {
  return new GatewayError('REQUEST_TOO_LARGE', `the body inflates to more than ${MAX_COMPRESSION_RATIO} times its size`, { param: 'body' });
}

function gaveUp(): GatewayError {
  return new GatewayError('CANCELLED', 'the client went away');
}
