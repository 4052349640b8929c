import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Characters of one piece of an endless answer. */
const PIECE = 1_024;

/** One endless answer, as its upstream sees it. */
export interface Flow {
  /** Bytes that the gateway's side of the connection has taken, those in the buffers of the system included. */
  taken(): number;
  /** The gateway has closed the connection. */
  isClosed(): boolean;
}

/** The text of an endless answer up to its n-th piece; the pieces are numbered, so that a gap would show. */
export function floodText(pieces: number): string {
  return Array.from({ length: pieces }, (_, n) => `${n} `.padEnd(PIECE, 'x')).join('');
}

/** An OpenAI-compatible upstream that never ends its answers to `flood`, as fast as it is let, and answers anything else shortly. */
export class FloodUpstream {
  readonly flows: Flow[] = [];
  readonly #server: Server = createServer((req, res) => void this.#serve(req, res));

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Base URL of a connection to it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}/v1`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (!req.url?.endsWith('/chat/completions')) return void res.end(JSON.stringify({ data: [{ id: 'flood-1' }] }));
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    if (Buffer.concat(chunks).includes('"flood"')) return this.#flood(res);
    res.end(`${event('shortly')}data: [DONE]\n\n`);
  }

  #flood(res: ServerResponse): void {
    const socket = res.socket as Socket;
    const before = socket.bytesWritten;
    let pieces = 0;
    const pour = () => {
      while (!res.destroyed && res.write(event(`${pieces++} `.padEnd(PIECE, 'x'))));
    };
    this.flows.push({ taken: () => socket.bytesWritten - before - socket.writableLength, isClosed: () => res.destroyed });
    res.on('drain', pour);
    pour();
  }
}

function event(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}
