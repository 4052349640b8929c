import { CliError } from '../cli-error.ts';

/** One HTTP request to a gateway. */
export interface GatewayRequest {
  method: string;
  /** With its query. */
  path: string;
  /** Sent as `Authorization: Bearer`. */
  token?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Media type of the response. @default 'application/json' */
  accept?: string;
  /** @default 70_000: the slowest operations ask upstreams, or rewrite every secret */
  timeoutMs?: number;
}

/** A response; `body` is undefined when there is none, or when it is not JSON. */
export interface GatewayResponse {
  status: number;
  body: unknown;
  /** The body as text. */
  text: string;
  headers: Headers;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be resolved now',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
};

/** Sends a request and reads the whole response. @throws CliError GATEWAY_UNREACHABLE when there is no response */
export async function sendRequest(
  url: string,
  { method, path, token, headers: given, body, accept = 'application/json', timeoutMs = 70_000 }: GatewayRequest,
): Promise<GatewayResponse> {
  const headers: Record<string, string> = { accept, ...given };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      // A redirect would take the key to wherever it points.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text), text, headers: response.headers };
  } catch (error) {
    throw new CliError(`cannot reach the gateway at ${url} (${reasonOf(error)}); start it with npm start, or set PARLEY_URL`, {
      code: 'GATEWAY_UNREACHABLE',
      cause: error,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as { name?: string; message?: string; cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'no answer in time';
  return REASONS[cause?.code ?? ''] ?? cause?.code ?? cause?.message ?? message ?? String(error);
}
