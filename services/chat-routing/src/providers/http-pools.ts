import { GatewayError } from '@parley/protos/errors';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { MAX_CONCURRENCY } from '../domain/concurrency.ts';
import { parseJsonOrText } from './error-response.ts';
import { toStatusError } from './status-error.ts';
import { toTransportError } from './transport-error.ts';

/** Default timeout in milliseconds of calls that are not turns. */
export const DEFAULT_CALL_TIMEOUT_MS = 10_000;
/** Default maximum bytes of a response to such a call. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** An upstream call with a JSON response. */
export interface JsonRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  /** Streamed bytes instead of a JSON body. */
  upload?: { size: number; bytes: AsyncIterable<Uint8Array> };
  /** Aborts the call. @default after 10 s */
  signal?: AbortSignal;
  /** Maximum bytes of the response. @default 4 MiB */
  maxBytes?: number;
}

/** A streamed download. Ending the iteration early closes the connection. */
export interface Download {
  headers: Record<string, string | string[] | undefined>;
  bytes: AsyncIterable<Uint8Array>;
}

/** Converts an error response to a coded error: status, body (parsed if JSON), Retry-After header, and the secret that was sent. */
export type ErrorResponseMapper = (status: number, body?: unknown, retryAfter?: string | string[], secret?: string) => GatewayError;

/** The connection pool of a base URL's origin, and the path of the base URL without a trailing slash. */
export interface UpstreamEndpoint {
  pool: Pool;
  path: string;
}

/** Keep-alive HTTP connections to upstreams, one pool per origin. */
export class HttpPools {
  readonly #pools = new Map<string, Pool>();
  readonly #upstreams = new Map<string, UpstreamEndpoint>();
  readonly #connectMs: number;

  /** `connectMs`: timeout of establishing a TCP and TLS connection. */
  constructor(connectMs: number) {
    this.#connectMs = connectMs;
  }

  /** Returns the pool of a base URL's origin, created on first use, and the URL's path, such as `/v1`, without a trailing slash. */
  getEndpoint(baseUrl: string): UpstreamEndpoint {
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

  /**
   * Calls an upstream and returns its parsed JSON; undefined for an empty body. Throws a coded error; `refuse` converts error responses.
   */
  async requestJson(baseUrl: string, path: string, request: JsonRequest, refuse: ErrorResponseMapper = toStatusError): Promise<unknown> {
    const response = await this.#send(baseUrl, path, request);
    const text = await readText(response.body, request.maxBytes ?? MAX_JSON_BYTES);
    const body = parseJsonOrText(text);
    if (response.statusCode >= 300) throw refuse(response.statusCode, body, response.headers['retry-after'], findSecret(request.headers));
    if (typeof body === 'string' && text !== '') throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not answer in JSON');
    return text === '' ? undefined : body;
  }

  /**
   * Downloads bytes from an upstream, with a timeout of `silenceMs` for the head and between chunks. Throws a coded error, also while the
   * bytes are read; `refuse` converts error responses.
   */
  async download(
    baseUrl: string,
    path: string,
    { headers, signal, silenceMs }: { headers: Record<string, string>; signal: AbortSignal; silenceMs: number },
    refuse: ErrorResponseMapper = toStatusError,
  ): Promise<Download> {
    const { pool, path: base } = this.getEndpoint(baseUrl);
    const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    const asked = pool.request({ path: base + path, method: 'GET', headers, signal, ...timeouts });
    const response = await asked.catch((error: unknown) => {
      throw toCallError(error);
    });
    if (response.statusCode === 200) return { headers: response.headers, bytes: coded(response.body) };
    const said = parseJsonOrText(await readText(response.body, MAX_JSON_BYTES));
    throw refuse(response.statusCode, said, response.headers['retry-after'], findSecret(headers));
  }

  /** Requests the base URL itself and returns the HTTP status. Throws a coded error when there is no response. */
  async requestStatus(baseUrl: string, headers: Record<string, string>): Promise<number> {
    const { statusCode, body } = await this.#send(baseUrl, '', { method: 'GET', headers: { accept: '*/*', ...headers } });
    // The body is discarded; its errors do not matter.
    await body.dump().catch(() => undefined);
    return statusCode;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  async #send(baseUrl: string, path: string, { method, headers, body, upload, signal }: JsonRequest) {
    try {
      const upstream = this.getEndpoint(baseUrl);
      const about = upload ? { 'content-length': String(upload.size) } : body === undefined ? {} : { 'content-type': 'application/json' };
      return await upstream.pool.request({
        path: upstream.path + path || '/',
        method,
        headers: { accept: 'application/json', ...about, ...headers },
        body: upload ? Readable.from(upload.bytes, { objectMode: false }) : body === undefined ? null : JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout(DEFAULT_CALL_TIMEOUT_MS),
      });
    } catch (error) {
      throw toCallError(error);
    }
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of limitBytes(body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Passes a body through. Throws PROVIDER_BAD_ANSWER beyond `maxBytes`, and coded errors for failures while it is read. */
export async function* limitBytes(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of coded(body)) {
    size += chunk.length;
    if (size > maxBytes) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent too much');
    yield chunk;
  }
}

/** Passes a body through; throws coded errors for failures while it is read. */
async function* coded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw toCallError(error);
  }
}

/** Converts the error of a failed call to a coded error. A GatewayError, which the stream of an upload may throw, is returned as it is. */
export function toCallError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : (timedOut(error) ?? toTransportError(error as Error));
}

/** Returns the bearer token of a request, which is redacted because an upstream may quote it. */
function findSecret(headers: Readonly<Record<string, string>> = {}): string {
  return (headers.authorization ?? '').replace(/^Bearer /, '');
}

function timedOut(error: unknown): GatewayError | undefined {
  if ((error as { name?: unknown }).name !== 'TimeoutError') return undefined;
  return new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer in time', { cause: error });
}
