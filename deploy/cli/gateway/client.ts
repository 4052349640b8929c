import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { AdminTokenSource } from './admin-token.ts';
import { type GatewayLocation } from './locate.ts';
import { type GatewayResponse, sendRequest } from './send-request.ts';

/** Query and body of a call. */
export interface GatewayCallOptions {
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The control plane of a running gateway. Every method throws CliError with one clear line. */
export interface GatewayClient {
  readonly url: string;
  /** Calls an operation and validates its response; fields that this version does not know stay in it. */
  call: <S extends z.ZodType>(method: Method, path: string, shape: S, ask?: GatewayCallOptions) => Promise<z.output<S>>;
  /** Resolves with the response of an operation as text, in a media type other than JSON. */
  getText: (path: string, ask: { accept: string; query?: GatewayCallOptions['query'] }) => Promise<string>;
  /** Resolves with all items of a paged list. */
  listAll: <S extends z.ZodType>(path: string, item: S, query?: GatewayCallOptions['query']) => Promise<z.output<S>[]>;
}

/** The response of an operation without a body. */
export const emptyResponseSchema = z.undefined();

const PAGE = 200;
const envelope = z.object({ error: z.object({ code: z.string(), message: z.string(), param: z.string().optional() }) });

/** Creates a client of the gateway's control plane, which gets its tokens by itself. */
export function createGatewayClient({ url, credential }: GatewayLocation): GatewayClient {
  const tokens = new AdminTokenSource(url, credential);
  async function ask<S extends z.ZodType>(method: Method, path: string, shape: S, { query, body }: GatewayCallOptions) {
    const answer = await sendRequest(url, { method, path: withQuery(path, query), token: await tokens.get(), body });
    if (answer.status >= 400) throw refusal(url, answer);
    const result = shape.safeParse(answer.body);
    if (result.success) return { data: result.data, headers: answer.headers };
    throw new CliError(`${url} gave an answer to ${method} ${path} that this version does not understand`, { code: 'BAD_ANSWER' });
  }
  return {
    url,
    call: async (method, path, shape, what = {}) => (await ask(method, path, shape, what)).data,
    getText: async (path, { accept, query }) => {
      const answer = await sendRequest(url, { method: 'GET', path: withQuery(path, query), token: await tokens.get(), accept });
      if (answer.status >= 400) throw refusal(url, answer);
      return answer.text;
    },
    listAll: async (path, item, query) => {
      const items: z.output<typeof item>[] = [];
      // Lists without cursors ignore the empty one, and link their pages by number.
      for (let asked: GatewayCallOptions['query'] = { ...query, limit: String(PAGE), cursor: '' }; asked !== undefined;) {
        const { data, headers } = await ask('GET', path, z.array(item), { query: asked });
        items.push(...data);
        asked = nextQuery(headers);
      }
      return items;
    },
  };
}

/** Returns the query of the next page. Ignores the rest of the link, so that the token is sent to no other server. */
function nextQuery(headers: Headers): GatewayCallOptions['query'] {
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next.slice(next.indexOf('?') + 1)));
}

function withQuery(path: string, query: GatewayCallOptions['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

function refusal(url: string, { status, body }: GatewayResponse): CliError {
  const read = envelope.safeParse(body);
  if (!read.success) return new CliError(`${url} does not answer like a Parley gateway (HTTP ${status})`, { code: 'BAD_ANSWER' });
  const { code, message, param } = read.data.error;
  const where = param && !message.includes(param) ? ` (${param})` : '';
  return new CliError(`${message}${where} [${code}]`, { code });
}
