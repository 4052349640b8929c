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
  seen: Seen[];
}

/** Starts one on a free port of loopback. What is not in the script is 404. */
export async function startFakeGateway(replies: Replies): Promise<FakeGateway> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void read(request).then((asked) => {
      seen.push(asked);
      const script = replies[`${asked.method} ${asked.path.split('?')[0]}`] ?? { status: 404, body: '<h1>Not found</h1>' };
      const { status = 200, body, headers = {} } = typeof script === 'function' ? script(asked) : script;
      response.writeHead(status, headers);
      response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
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
