import { GatewayError } from '@parley/protos/errors';
import { Pool } from 'undici';
import { MAX_CONCURRENCY } from '../domain/concurrency.ts';
import { unreachable } from './upstream-call.ts';
import { refusalOf } from './upstream-status.ts';

/** Bounds of the small calls that are not turns. */
const CALL_MS = 10_000;
const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** A small upstream call with a JSON answer. */
export interface JsonRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  body?: unknown;
  /** What the answer may have at most. @default 4 MiB */
  maxBytes?: number;
}

/** Where the calls to a base URL go. */
export interface Upstream {
  pool: Pool;
  path: string;
}

/** Keep-alive connections to upstreams, one pool an origin. */
export class Pools {
  readonly #pools = new Map<string, Pool>();
  readonly #upstreams = new Map<string, Upstream>();
  readonly #connectMs: number;

  /** `connectMs`: how long a TCP or TLS connect may take. */
  constructor(connectMs: number) {
    this.#connectMs = connectMs;
  }

  /** The pool of a base URL's origin, and the URL's own path, such as `/v1`, without a slash at its end. */
  of(baseUrl: string): Upstream {
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
  async json(
    baseUrl: string,
    path: string,
    request: JsonRequest,
    refuse = (status: number, _body: unknown, retryAfter?: string | string[]) => refusalOf(status, retryAfter),
  ): Promise<unknown> {
    const response = await this.#send(baseUrl, path, request);
    const text = await this.#text(response.body, request.maxBytes ?? MAX_JSON_BYTES);
    const body = parse(text);
    if (response.statusCode >= 300) throw refuse(response.statusCode, body, response.headers['retry-after']);
    if (body === undefined && text !== '') throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not answer in JSON');
    return body;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  async #send(baseUrl: string, path: string, { method, headers, body }: JsonRequest) {
    try {
      const upstream = this.of(baseUrl);
      return await upstream.pool.request({
        path: upstream.path + path,
        method,
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(CALL_MS),
      });
    } catch (error) {
      throw timedOut(error) ?? unreachable(error as Error);
    }
  }

  async #text(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body) {
        size += chunk.length;
        if (size > maxBytes) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent too much');
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      throw timedOut(error) ?? unreachable(error as Error);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function timedOut(error: unknown): GatewayError | undefined {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') return undefined;
  return new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer in time', { cause: error });
}
