import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@parley/protos/errors';
import { inflate } from './inflate.ts';
import { nestsDeeper, refuseBadText } from './json-limits.ts';

/** How large and how slow a body may be. */
export interface BodyLimits {
  /** Bytes at most, before and after decompression. */
  limitBytes: number;
  /** How long the body may pause on its way, in milliseconds. @default 30000 */
  idleMs?: number;
}

/** Nesting a body may have. */
const MAX_DEPTH = 64;
const IDLE_MS = 30_000;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/**
 * The JSON body of a request.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, REQUEST_TOO_LARGE, REQUEST_TIMEOUT, or VALIDATION_ERROR with the param `body` or the path of the
 * text at fault (malformed, not UTF-8, a lone surrogate, U+0000, nested too deep); CANCELLED when the client went away.
 */
export async function readJson(req: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  checkHead(req, limits.limitBytes);
  return parseJson(await readBytes(req, limits));
}

/** Parses and checks the bytes of a JSON body. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw invalid('the request needs a JSON body');
  if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  if (nestsDeeper(text, MAX_DEPTH)) throw invalid(`the body is nested deeper than ${MAX_DEPTH} levels`);
  const value = parse(text);
  refuseBadText(text, value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which must not reach a log.
    throw invalid('the body is not valid JSON');
  }
}

function checkHead(req: IncomingMessage, limitBytes: number): void {
  const type = req.headers['content-type'];
  if (type !== 'application/json' && !JSON_TYPE.test(type ?? '')) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json', { param: 'Content-Type' });
  }
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

function readBytes(req: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const encoding = req.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return collect(req, req, limits);
  const plain = inflate(req, encoding);
  if (!plain)
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be plain, gzip, deflate or br', { param: 'Content-Encoding' });
  return collect(req, plain, limits);
}

/** Gathers `source`, which is the request itself or what decodes it; counts what comes out, so that a small bomb is stopped early. */
function collect(req: IncomingMessage, source: NodeJS.ReadableStream, { limitBytes, idleMs = IDLE_MS }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (deliver: () => void) => {
      clearTimeout(idle);
      source.off('data', take).off('end', finish).off('error', fail);
      req.off('close', gone);
      // A decoder that is dropped half-way may still fail.
      source.on('error', () => undefined);
      if (source !== req) req.unpipe();
      // What still comes is thrown away, so that the answer can be read on the same connection.
      req.resume();
      deliver();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) return settle(() => reject(tooLarge(limitBytes)));
      chunks.push(chunk);
      idle.refresh();
    };
    const finish = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)));
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

function gaveUp(): GatewayError {
  return new GatewayError('CANCELLED', 'the client went away');
}
