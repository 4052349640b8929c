import { Readable } from 'node:stream';
import { GatewayError } from '@parley/protos/errors';
import { Pool } from 'undici';
import { MAX_CONCURRENCY } from '../domain/concurrency.ts';
import { readBody } from './refusal-body.ts';
import { toTransportError } from './transport-error.ts';
import { toRefusal } from './upstream-status.ts';

/** Bounds of the small calls that are not turns. */
export const CALL_MS = 10_000;
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** An upstream call with a JSON answer. */
export interface JsonRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  /** Bytes instead of a body in JSON, sent as they come. */
  upload?: { size: number; bytes: AsyncIterable<Uint8Array> };
  /** When the call is given up. @default after 10 s */
  signal?: AbortSignal;
  /** What the answer may have at most. @default 4 MiB */
  maxBytes?: number;
}

/** Bytes as an upstream sends them. A reader that stops closes the connection. */
export interface Download {
  headers: Record<string, string | string[] | undefined>;
  bytes: AsyncIterable<Uint8Array>;
}

/** Maps a refusal to a coded error: its status, its body (parsed where it is JSON), its Retry-After, and the secret that was sent. */
export type RefusalMapper = (status: number, body?: unknown, retryAfter?: string | string[], secret?: string) => GatewayError;

/** Where the calls to a base URL go. */
export interface UpstreamEndpoint {
  pool: Pool;
  path: string;
}

/** Keep-alive connections to upstreams, one pool an origin. */
export class Pools {
  readonly #pools = new Map<string, Pool>();
  readonly #upstreams = new Map<string, UpstreamEndpoint>();
  readonly #connectMs: number;

  /** `connectMs`: how long a TCP or TLS connect may take. */
  constructor(connectMs: number) {
    this.#connectMs = connectMs;
  }

  /** The pool of a base URL's origin, and the URL's own path, such as `/v1`, without a slash at its end. */
  of(baseUrl: string): UpstreamEndpoint {
    let upstream = this.#upstreams.get(baseUrl);
    if (!upstream) {
      const { origin, pathname } = new URL(baseUrl);
      upstream = { pool: this.#poolOf(origin), path: pathname.replace(/\/+$/, '') };
      this.#upstreams.set(baseUrl, upstream);
    }
    return upstream;
  }

  #poolOf(origin: string): Pool {
    let pool = this.#pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, {
        connections: MAX_CONCURRENCY,
        pipelining: 1,
        connect: { timeout: this.#connectMs },
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      this.#pools.set(origin, pool);
    }
    return pool;
  }

  /** Calls an upstream and answers its JSON. Throws a coded error; `refuse` may know better what a refusal means. */
  async json(baseUrl: string, path: string, request: JsonRequest, refuse: RefusalMapper = toRefusal): Promise<unknown> {
    const response = await this.#send(baseUrl, path, request);
    const text = await readText(response.body, request.maxBytes ?? MAX_JSON_BYTES);
    const body = readBody(text);
    if (response.statusCode >= 300) throw refuse(response.statusCode, body, response.headers['retry-after'], findSecret(request.headers));
    if (typeof body === 'string' && text !== '') throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not answer in JSON');
    return text === '' ? undefined : body;
  }

  /**
   * Asks an upstream for bytes, with `silenceMs` for its head and between any two pieces of them. Throws a coded error, also while they are
   * read; `refuse` may know better what a refusal means.
   */
  async download(
    baseUrl: string,
    path: string,
    { headers, signal, silenceMs }: { headers: Record<string, string>; signal: AbortSignal; silenceMs: number },
    refuse: RefusalMapper = toRefusal,
  ): Promise<Download> {
    const { pool, path: base } = this.of(baseUrl);
    const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    const asked = pool.request({ path: base + path, method: 'GET', headers, signal, ...timeouts });
    const response = await asked.catch((error: unknown) => {
      throw toCallError(error);
    });
    if (response.statusCode === 200) return { headers: response.headers, bytes: coded(response.body) };
    const said = readBody(await readText(response.body, MAX_JSON_BYTES));
    throw refuse(response.statusCode, said, response.headers['retry-after'], findSecret(headers));
  }

  /** Asks for the base URL itself and answers the status alone. Throws a coded error when nothing answers. */
  async status(baseUrl: string, headers: Record<string, string>): Promise<number> {
    const { statusCode, body } = await this.#send(baseUrl, '', { method: 'GET', headers: { accept: '*/*', ...headers } });
    // The body does not matter, nor that it breaks off.
    await body.dump().catch(() => undefined);
    return statusCode;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  async #send(baseUrl: string, path: string, { method, headers, body, upload, signal }: JsonRequest) {
    try {
      const upstream = this.of(baseUrl);
      const about = upload ? { 'content-length': String(upload.size) } : body === undefined ? {} : { 'content-type': 'application/json' };
      return await upstream.pool.request({
        path: upstream.path + path || '/',
        method,
        headers: { accept: 'application/json', ...about, ...headers },
        body: upload ? Readable.from(upload.bytes, { objectMode: false }) : body === undefined ? null : JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout(CALL_MS),
      });
    } catch (error) {
      throw toCallError(error);
    }
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The same bytes, `maxBytes` at most; what goes wrong while they are read is a coded error. */
export async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of coded(body)) {
    size += chunk.length;
    if (size > maxBytes) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent too much');
    yield chunk;
  }
}

/** The same bytes; what goes wrong while they are read is a coded error. */
async function* coded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw toCallError(error);
  }
}

/** The coded error of a failed call. An error that has a code already comes from the stream of the upload. */
export function toCallError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : (timedOut(error) ?? toTransportError(error as Error));
}

/** The bearer token of a request, which an upstream may quote. */
function findSecret(headers: Readonly<Record<string, string>> = {}): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}

function timedOut(error: unknown): GatewayError | undefined {
  if ((error as { name?: unknown }).name !== 'TimeoutError') return undefined;
  return new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer in time', { cause: error });
}
