import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A request as the gateway got it. */
export interface Seen {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** What a gateway answers; a string is sent as it is. */
export interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Answers by method and path, e.g. `GET /admin/v1/keys`. */
export type Replies = Readonly<Record<string, Reply | ((seen: Seen) => Reply)>>;

/** A server that answers like a gateway, from a script. */
export interface FakeGateway extends AsyncDisposable {
  url: string;
  /** Requests, without those for a token. */
  seen: Seen[];
  /** What was exchanged for a token. */
  exchanged: unknown[];
}

/** What the gateway gives for every credential, unless a script says otherwise. */
export const TOKEN = 'token-of-the-gateway';
const EXCHANGE = 'POST /admin/v1/token';
const EXCHANGED: Reply = { body: { access_token: TOKEN, token_type: 'Bearer', expires_in: 600, expires_at: '2026-03-01T12:10:00.000Z' } };

/** Starts one on a free port of loopback. What is not in the script is 404. */
export async function startFakeGateway(replies: Replies): Promise<FakeGateway> {
  const seen: Seen[] = [];
  const exchanged: unknown[] = [];
  const scripts: Replies = { [EXCHANGE]: EXCHANGED, ...replies };
  const server = createServer((request, response) => {
    void read(request).then((asked) => {
      const operation = `${asked.method} ${asked.path.split('?')[0]}`;
      if (operation === EXCHANGE) exchanged.push(asked.body);
      else seen.push(asked);
      const script = scripts[operation] ?? { status: 404, body: '<h1>Not found</h1>' };
      const { status = 200, body, headers = {} } = typeof script === 'function' ? script(asked) : script;
      response.writeHead(status, headers);
      response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    exchanged,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
}
