import { createHash } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getRequestContext } from '../middleware/request-context.ts';

const compress = promisify(gzip);

/** A text that never changes while the process lives, with what clients need to keep it. */
export class StaticContent {
  readonly bytes: Buffer;
  /** Short, of the content. */
  readonly hash: string;
  readonly #type: string;
  readonly #headers: OutgoingHttpHeaders;
  #zipped: Promise<Buffer> | undefined;

  /** `type` is its media type; `headers` go with every answer. */
  constructor(content: string | Buffer, type: string, headers: OutgoingHttpHeaders) {
    this.#type = type;
    this.bytes = Buffer.from(content);
    this.hash = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 16);
    this.#headers = headers;
  }

  /** Answers with it, compressed where the client can read that, or 304 where it has it already. */
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

/** CORS may have put something there. */
function varyOf(res: ServerResponse): string {
  const there = res.getHeader('vary');
  return there === undefined ? 'Accept-Encoding' : `${String(there)}, Accept-Encoding`;
}

function has({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match'];
  return known !== undefined && known.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}
