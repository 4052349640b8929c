import { type Gateway } from './parley.ts';

/** An answer that has been read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
}

/** What is sent; without a key there is no authentication. */
export interface Request {
  key?: string | undefined;
  headers?: Record<string, string>;
  /** Sent as JSON; a string or bytes as they are. */
  body?: unknown;
  signal?: AbortSignal;
}

/** Opens an exchange; the body is the caller's to read. */
export function open(
  gateway: Pick<Gateway, 'url'>,
  method: string,
  path: string,
  { key, headers, body, signal }: Request = {},
): Promise<Response> {
  return fetch(gateway.url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: payload(body),
    signal: signal ?? null,
  });
}

/** Sends a request and reads the whole answer. */
export async function call(gateway: Pick<Gateway, 'url'>, method: string, path: string, request: Request = {}): Promise<Answer> {
  const response = await open(gateway, method, path, request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function payload(body: unknown): RequestInit['body'] {
  if (body === undefined) return null;
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
