import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ApiCall, type ApiFacts } from './api-call.ts';
import { Refusal } from './refusal.ts';
import { type Pace } from './respond.ts';
import { route } from './routes.ts';
import { Store } from './store.ts';

/**
 * A local server with the shapes of the official API (Responses, Conversations, Files, Vector stores, Containers, Models): it keeps what it is
 * given as that does, and refuses what that refuses.
 */
export class OpenAiApi implements ApiFacts {
  readonly store = new Store();
  readonly calls: ApiCall[] = [];
  readonly pace: Pace = { pieceMs: 0 };
  models = ['gpt-5-mini', 'gpt-5', 'text-embedding-3-small'];
  plainModels = ['gpt-5-mini'];
  key = 'sk-right';
  indexing: ApiFacts['indexing'] = 'completed';
  /** Takes calls before they are answered; answers whether it did. */
  intercept: ((call: ApiCall, res: ServerResponse) => boolean) | undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((req, res) => void this.#serve(req, res));
  }

  /** Starts one on a free port of loopback, or on the one that is given. */
  static async listen(port = 0): Promise<OpenAiApi> {
    const api = new OpenAiApi();
    api.#server.listen(port, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  /** For a connection. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The calls to a path, by its beginning. */
  callsTo(method: string, path: string): ApiCall[] {
    return this.calls.filter((call) => call.method === method && call.path.startsWith(path));
  }

  async close(): Promise<void> {
    for (const { stop } of this.store.responses.values()) stop();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    try {
      const call = readCall(req, Buffer.concat(chunks));
      this.calls.push(call);
      if (this.intercept?.(call, res)) return;
      if (req.headers.authorization !== `Bearer ${this.key}`) throw new Refusal(401, 'invalid_api_key');
      const answer = await route(this, call, res);
      if (answer instanceof Buffer) res.setHeader('content-type', 'application/octet-stream').end(answer);
      else if (answer !== undefined) json(res, 200, answer);
    } catch (error) {
      if (error instanceof Refusal) json(res, error.status, error.body);
      else json(res, 500, { error: { message: String(error), type: 'server_error', param: null, code: null } });
    }
  }
}

/** Answers in JSON. */
export function json(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function readCall({ method = '', url = '', headers }: IncomingMessage, bytes: Buffer): ApiCall {
  const { pathname, searchParams: query } = new URL(url, 'http://upstream');
  if (!pathname.startsWith('/v1/')) throw new Refusal(404);
  const isJson = headers['content-type'] === 'application/json' && bytes.length > 0;
  return { method, path: pathname.slice(3), query, headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined };
}
