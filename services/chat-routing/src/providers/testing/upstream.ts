import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** One request that the test upstream received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The parsed JSON body; empty for any other body. */
  body: Record<string, unknown>;
  bytes: Buffer;
  /** The response, which the test may continue to write. */
  res: ServerResponse;
  /** The client closed the connection before the response was complete. */
  isClosed: boolean;
}

/** How an upstream answers. */
export type ResponseScript = (received: ReceivedRequest) => void | Promise<void>;

/** A local HTTP server whose responses the test scripts. */
export class TestUpstream {
  readonly received: ReceivedRequest[] = [];
  /** Paths of requests whose bodies were not sent completely. */
  readonly cutOff: string[] = [];
  readonly #server: Server;
  script: ResponseScript = ({ res }) => void res.writeHead(500).end();

  constructor() {
    this.#server = createServer((req, res) => void this.#serve(req, res));
  }

  /** `port`: 0 for any free port, or the previous one to reopen the server. */
  async listen(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      // A request with an incomplete body is not passed to the script.
      return void this.cutOff.push(req.url ?? '');
    }
    const bytes = Buffer.concat(chunks);
    const isJson = bytes.length > 0 && req.headers['content-type'] === 'application/json';
    const body = isJson ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {};
    const { method = '', url: path = '', headers } = req;
    const received: ReceivedRequest = { method, path, headers, body, bytes, res, isClosed: false };
    res.on('close', () => (received.isClosed = !res.writableFinished));
    this.received.push(received);
    await this.script(received);
  }
}

/** Starts an event stream. */
export function stream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.flushHeaders();
}

/** Returns a script that streams these parts, each in a separate packet, and ends the response. */
export function streaming(...parts: readonly (string | Buffer)[]): ResponseScript {
  return async ({ res }) => {
    stream(res);
    for (const part of parts) {
      res.write(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    res.end();
  };
}
