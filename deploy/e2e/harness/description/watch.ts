import { adminToken } from '../admin-token.ts';
import { getDescription } from '../shared/pool.ts';
import { type OpenApi } from './document.ts';
import { type Description, Exchange } from './exchange.ts';
import { checksOf } from './schemas.ts';

const gateways = new Set<string>();
const wrong = new Set<string>();
let description: Promise<Description> | undefined;
let loaded: Description | undefined;

/** Looks at every exchange with a gateway from now on; one gateway's description is every gateway's. */
export async function watchGateway(url: string, operatorKey: string): Promise<void> {
  description ??= load(url, operatorKey);
  loaded = await description;
  gateways.add(new URL(url).origin);
}

/** What did not agree with the description since the last time. */
export function disagreements(): string[] {
  const said = [...wrong];
  wrong.clear();
  return said;
}

/** The same `fetch`, which looks at what goes through it; what the client reads, cancels and aborts goes on as before. */
export function watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = new URL(input instanceof Request ? input.url : input);
    if (!loaded || !gateways.has(url.origin) || init?.method === 'OPTIONS') return response;
    const { method = 'GET', headers, body } = input instanceof Request ? input : (init ?? {});
    const sent = { method, target: url.pathname + url.search, headers: new Headers(headers ?? {}), body: textOf(body) };
    return pass(response, new Exchange(loaded, sent, response, (text) => wrong.add(text)));
  };
}

/** Looks at an exchange that went over a bare socket; `text` is the body where it is whole. */
export function noteRaw(gateway: string, head: string, answer: { status: number; headers: Headers; text: string }): void {
  if (!loaded || !gateways.has(new URL(gateway).origin)) return;
  const [method = '', target = ''] = head.split(' ');
  const sent = { method, target: target.startsWith('/') ? target : '/', headers: new Headers() };
  const exchange = new Exchange(loaded, sent, answer, (text) => wrong.add(text));
  exchange.read(answer.text);
  exchange.end();
}

async function load(url: string, operatorKey: string): Promise<Description> {
  const { whole, people } = await getDescription(url, `Bearer ${await adminToken({ url, operatorKey })}`);
  const document = merged(whole, people);
  return { document, checks: checksOf(document) };
}

/** Both surfaces as one document; what both describe is the same. */
function merged(whole: OpenApi, people: OpenApi): OpenApi {
  const names = new Set([...Object.keys(whole.components), ...Object.keys(people.components)]);
  const components = Object.fromEntries([...names].map((name) => [name, { ...whole.components[name], ...people.components[name] }]));
  return { ...whole, paths: { ...whole.paths, ...people.paths }, components };
}

function pass(response: Response, exchange: Exchange): Response {
  const { body, status, statusText, headers, url } = response;
  if (!body) {
    exchange.end();
    return response;
  }
  const decoder = new TextDecoder();
  const looking = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (exchange.isText) exchange.read(decoder.decode(chunk, { stream: true }));
      controller.enqueue(chunk);
    },
    flush: () => exchange.end(),
  });
  const same = new Response(body.pipeThrough(looking), { status, statusText, headers });
  return Object.defineProperty(same, 'url', { value: url });
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined;
}
