import { createHash } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getRequestContext } from '../middleware/request-context.ts';

const compress = promisify(gzip);

/** Content that does not change while the process runs, with its ETag and its compressed form. */
export class StaticContent {
  readonly bytes: Buffer;
  /** The first characters of its SHA-256, in base64url; the ETag. */
  readonly hash: string;
  readonly #type: string;
  readonly #headers: OutgoingHttpHeaders;
  #zipped: Promise<Buffer> | undefined;

  /** `type` is its media type; `headers` are sent with every answer. */
  constructor(content: string | Buffer, type: string, headers: OutgoingHttpHeaders) {
    this.#type = type;
    this.bytes = Buffer.from(content);
    this.hash = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 16);
    this.#headers = headers;
  }

  /** Sends the content, compressed when the client accepts gzip, or 304 when the client has this version. */
  async send(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const etag = `"${this.hash}"`;
    const headers = { 'x-request-id': getRequestContext(req).id, ...this.#headers, etag, vary: varyOf(res) };
    if (has(req, etag)) return void res.writeHead(304, headers).end();
    const isZipped = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
    const body = isZipped ? await (this.#zipped ??= compress(this.bytes)) : this.bytes;
    res
      .writeHead(200, {
        ...headers,
        'content-type': this.#type,
        'content-length': body.length,
        ...(isZipped && { 'content-encoding': 'gzip' }),
      })
      .end(body);
  }
}

/** Returns the `Vary` header; keeps the value that CORS may have set. */
function varyOf(res: ServerResponse): string {
  const there = res.getHeader('vary');
  return there === undefined ? 'Accept-Encoding' : `${String(there)}, Accept-Encoding`;
}

function has({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match'];
  return known !== undefined && known.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}
