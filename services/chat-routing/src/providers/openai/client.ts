import { Readable } from 'node:stream';
import { GatewayError } from '@parley/protos/errors';
import { OpenAI } from 'openai';
import { bounded, toCallError, CALL_MS, MAX_JSON_BYTES, type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

/** Bounds of the calls of a client. */
export interface ClientBounds {
  /** When its calls are given up. @default each after 10 s */
  signal?: AbortSignal;
  /** What an answer may have at most. @default 4 MiB */
  maxBytes?: number;
}

type Fetch = NonNullable<NonNullable<ConstructorParameters<typeof OpenAI>[0]>['fetch']>;

/**
 * The official client for an account, over our own connections. Throws ACCOUNT_REAUTH_REQUIRED for an account without a key; what its calls
 * throw is mapped to coded errors by `withFailures`.
 */
export function openAi(pools: Pools, connection: UpstreamConnection, bounds: ClientBounds = {}): OpenAI {
  if (!connection.secret) throw new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the account has no API key');
  return new OpenAI({
    apiKey: connection.secret,
    baseURL: connection.baseUrl,
    // What the environment says is for other programs: the client would take it for ours.
    ...{ organization: null, project: null, adminAPIKey: null, webhookSecret: null },
    // It would log what it cannot read.
    logLevel: 'off',
    // A turn that failed is repeated by who asked for it, and most of these calls would be made twice.
    maxRetries: 0,
    fetch: boundedFetch(pools, connection.baseUrl, bounds),
  });
}

/** As fetch, but it follows no redirect, reads no more than it may, goes nowhere but to the account's upstream and ends in time. */
function boundedFetch(pools: Pools, baseUrl: string, { signal, maxBytes = MAX_JSON_BYTES }: ClientBounds): Fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { pool } = pools.of(baseUrl);
    try {
      const { statusCode, headers, body } = await pool.request({
        path: pathname + search,
        method: toMethod(init?.method),
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : null,
        signal: signal ?? AbortSignal.timeout(CALL_MS),
      });
      const bytes = Readable.toWeb(Readable.from(bounded(body, maxBytes), { objectMode: false })) as ReadableStream<Uint8Array>;
      return new Response(BODILESS.has(statusCode) ? null : bytes, { status: statusCode, headers: toHeaders(headers) });
    } catch (error) {
      throw toCallError(error);
    }
  };
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

function toMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  const known = (['GET', 'POST', 'DELETE'] as const).find((one) => one === method.toUpperCase());
  if (!known) throw new GatewayError('INTERNAL_ERROR', 'the client of the provider made a call of an unknown kind');
  return known;
}

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}
