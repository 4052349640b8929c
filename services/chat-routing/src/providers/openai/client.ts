import { GatewayError } from '@parley/protos/errors';
import { Readable } from 'node:stream';
import { OpenAI } from 'openai';
import { limitBytes, toCallError, DEFAULT_CALL_TIMEOUT_MS, MAX_JSON_BYTES, type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

/** Limits of the calls of a client. */
export interface ClientBounds {
  /** Aborts its calls. @default each after 10 s */
  signal?: AbortSignal;
  /** Maximum bytes of a response. @default 4 MiB */
  maxBytes?: number;
}

type Fetch = NonNullable<NonNullable<ConstructorParameters<typeof OpenAI>[0]>['fetch']>;

/**
 * Creates the official OpenAI client for a connection, over the gateway's connection pools. Throws ACCOUNT_REAUTH_REQUIRED without a key.
 * Wrap its calls in `withCodedErrors`, which converts their errors to coded errors.
 */
export function createOpenAiClient(pools: HttpPools, connection: UpstreamConnection, bounds: ClientBounds = {}): OpenAI {
  if (!connection.secret) throw new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the account has no API key');
  return new OpenAI({
    apiKey: connection.secret,
    baseURL: connection.baseUrl,
    // Prevents the client from reading these from the environment.
    ...{ organization: null, project: null, adminAPIKey: null, webhookSecret: null },
    // The client would log responses that it cannot parse.
    logLevel: 'off',
    // No retries: the caller repeats a failed turn, and most of these calls are not idempotent.
    maxRetries: 0,
    fetch: boundedFetch(pools, connection.baseUrl, bounds),
  });
}

/** A `fetch` that calls only the connection's upstream, follows no redirects, limits the response size and times out. */
function boundedFetch(pools: HttpPools, baseUrl: string, { signal, maxBytes = MAX_JSON_BYTES }: ClientBounds): Fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { pool } = pools.getEndpoint(baseUrl);
    try {
      const { statusCode, headers, body } = await pool.request({
        path: pathname + search,
        method: toMethod(init?.method),
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : null,
        signal: signal ?? AbortSignal.timeout(DEFAULT_CALL_TIMEOUT_MS),
      });
      const bytes = Readable.toWeb(Readable.from(limitBytes(body, maxBytes), { objectMode: false })) as ReadableStream<Uint8Array>;
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
