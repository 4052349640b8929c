import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type DownloadDeps, download } from './download.ts';
import { sendError } from './send-error.ts';

/** The private listener for downloads while it runs. */
export interface Downloads {
  /** Of the bound address. */
  url: string;
  /** Refuses new requests with SHUTTING_DOWN and waits for those under way. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  close(): Promise<void>;
}

/** A connection on which nothing moves for so long is cut; a slow client moves. */
const STALLED_MS = 60_000;
const HEAD_MS = 10_000;
/** Longer than the edge's, so that it is not we who close a connection that it is about to use. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the listener at `host:port`; port 0 chooses a free one. */
export async function startDownloads(deps: DownloadDeps, listen: string, stalledMs = STALLED_MS): Promise<Downloads> {
  const gate = new Requests();
  const server = createServer(
    { headersTimeout: HEAD_MS, requestTimeout: HEAD_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      void gate.during(response, () => answer(deps, gate, request, response));
    },
  );
  server.setTimeout(stalledMs);
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  const [host, port] = split(listen);
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    url: `http://${listen.slice(0, listen.lastIndexOf(':'))}:${(server.address() as AddressInfo).port}`,
    drain: () => gate.drain(),
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function answer(deps: DownloadDeps, gate: Requests, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Nothing here takes a body; what is not read would stand before the next request.
  request.resume();
  try {
    if (gate.isDraining) {
      response.setHeader('connection', 'close');
      throw new GatewayError('SHUTTING_DOWN', 'the service is shutting down', { retryAfterMs: 1_000 });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      throw new GatewayError('METHOD_NOT_ALLOWED', 'this path does not support the method');
    }
    await download(deps, request, response);
  } catch (error) {
    const { condition, cause } = toGatewayError(error);
    if (condition === 'INTERNAL_ERROR') deps.log.error({ err: cause ?? error }, 'download failed');
    if (response.headersSent) response.destroy();
    else sendError(request, response, error);
  }
}

/** Counts the requests under way. */
class Requests {
  isDraining = false;
  #live = 0;
  #waiting: (() => void)[] = [];

  /** A request is under way until its work is done and its response has left, or cannot any more. */
  async during(response: ServerResponse, work: () => Promise<void>): Promise<void> {
    this.#live++;
    await work();
    if (!response.closed) await new Promise<void>((resolve) => response.once('close', resolve));
    if (--this.#live === 0) for (const idle of this.#waiting.splice(0)) idle();
  }

  async drain(): Promise<void> {
    this.isDraining = true;
    if (this.#live > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

function split(listen: string): [host: string, port: number] {
  const colon = listen.lastIndexOf(':');
  return [listen.slice(0, colon).replace(/^\[|\]$/g, ''), Number(listen.slice(colon + 1))];
}
