import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { findRequestId } from './request-id.ts';
import { serveDownload, type DownloadDeps } from './serve-download.ts';

/** The running HTTP server for downloads; only the edge connects to it. */
export interface DownloadServer {
  /** Base URL of the bound address. */
  url: string;
  /** Rejects new requests with SHUTTING_DOWN and waits for those in progress. */
  drain(): Promise<void>;
  /** Closes the remaining connections. */
  close(): Promise<void>;
}

/** A connection without traffic for this long is closed; a slow client has traffic. */
const STALLED_MS = 60_000;
const HEAD_MS = 10_000;
/** Longer than the edge's, so that this server does not close a connection that the edge is about to use. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the server at `host:port`; port 0 chooses a free one. */
export async function startDownloadServer(deps: DownloadDeps, listen: string, stalledMs = STALLED_MS): Promise<DownloadServer> {
  const requests = new Requests();
  const server = createServer(
    { headersTimeout: HEAD_MS, requestTimeout: HEAD_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      void requests.track(response, () => answer(deps, requests, request, response));
    },
  );
  server.setTimeout(stalledMs);
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  const [host, port] = split(listen);
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    url: `http://${listen.slice(0, listen.lastIndexOf(':'))}:${(server.address() as AddressInfo).port}`,
    drain: () => requests.drain(),
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function answer(deps: DownloadDeps, requests: Requests, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // No request has a body; unread bytes would block the next request on the connection.
  request.resume();
  try {
    if (requests.isDraining) {
      response.setHeader('connection', 'close');
      throw new GatewayError('SHUTTING_DOWN', 'the service is shutting down', { retryAfterMs: 1_000 });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      throw new GatewayError('METHOD_NOT_ALLOWED', 'this path does not support the method');
    }
    await serveDownload(deps, request, response);
  } catch (error) {
    const { condition, cause } = toGatewayError(error);
    if (condition === 'INTERNAL_ERROR') deps.log.error({ err: cause ?? error, requestId: findRequestId(request) }, 'download failed');
    if (response.headersSent) response.destroy();
    else sendError(request, response, error);
  }
}

/** Counts the requests in progress. */
class Requests {
  isDraining = false;
  #live = 0;
  #waiting: (() => void)[] = [];

  /** Counts a request until its work is done and its response is closed. */
  async track(response: ServerResponse, work: () => Promise<void>): Promise<void> {
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

/** Answers with the gateway's error envelope (`Error` in `/openapi.json`). For a response whose head has not been sent. */
function sendError(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
  const { row, message, param, retryAfterMs } = toGatewayError(thrown);
  const requestId = findRequestId(request) ?? randomUUID();
  const error = { code: row.code, message, type: row.type, param: param ?? null, request_id: requestId, retryable: row.retryable };
  const body = JSON.stringify({ error });
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  response.writeHead(row.http, headers).end(request.method === 'HEAD' ? undefined : body);
}
