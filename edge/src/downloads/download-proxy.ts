import { GatewayError } from '@parley/protos/errors';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type EdgeConfig } from '../config.ts';
import { sendError } from '../middleware/errors.ts';
import { getResponseContext } from '../middleware/request-context.ts';
import { DownloadRequest, type DownloadTarget } from './download-request.ts';

/** Proxies downloads of files that a service stores. */
export interface DownloadProxy {
  /** Answers a GET or HEAD with the response of the service's listener; SERVICE_UNAVAILABLE when it fails or does not answer in time. */
  forward(req: IncomingMessage, res: ServerResponse, target: DownloadTarget): void;
}

/** Time to connect, in milliseconds; below the two seconds in which a client must get its 503. */
const CONNECT_MS = 1_500;
/** Time to the first byte, in milliseconds: a remote blob store may be slow. */
const ANSWER_MS = 10_000;

const PASSED_STATUSES: ReadonlySet<number> = new Set([200, 206, 304]);
const RANGE_NOT_SATISFIABLE = 416;
const PASSED_HEADERS = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition', 'content-security-policy'],
  ...['accept-ranges', 'etag', 'last-modified', 'cache-control'],
] as const;
/** Headers that a browser gets whatever the service sends. */
const SAFE = { 'content-disposition': 'attachment', 'cache-control': 'private, no-cache' };

/**
 * Returns the proxy of all downloads. Bytes are piped, so that a slow client slows its upstream, and when one side ends, the other ends,
 * too.
 */
export function createDownloadProxy({ stalledClientMs }: Pick<EdgeConfig, 'stalledClientMs'>): DownloadProxy {
  const hooks: Plugin<DownloadRequest> = (proxy) => {
    proxy.on('proxyReq', watchAnswer);
    proxy.on('proxyRes', (answer, { service }, res) => passOn(answer, res, service, stalledClientMs));
    proxy.on('error', (error, { service }, res) => refuse(res as ServerResponse, service, error));
  };
  const middleware = createProxyMiddleware<DownloadRequest>({
    router: ({ baseUrl }) => baseUrl,
    selfHandleResponse: true,
    // The default plugins answer errors in plain text and log signed URLs.
    ejectPlugins: true,
    plugins: [hooks],
  });
  return {
    forward(req, res, target) {
      // The client may have left while its access was checked.
      if (res.destroyed) return;
      if (!URL.canParse(target.baseUrl)) throw new GatewayError('INTERNAL_ERROR', `the ${target.service} service names no listener`);
      const ask = new DownloadRequest(req, target, getResponseContext(res).id);
      res.once('close', () => !res.writableFinished && ask.emit('aborted'));
      const fail = (error: unknown) => refuse(res, target.service, error);
      middleware(ask, res, fail).catch(fail);
    },
  };
}

/** Limits the time in which the listener must connect and answer. */
function watchAnswer(request: ClientRequest): void {
  const late = () => request.destroy(new Error('the listener did not answer in time'));
  let timer = setTimeout(late, CONNECT_MS);
  request.socket?.once('connect', () => {
    clearTimeout(timer);
    timer = setTimeout(late, ANSWER_MS);
  });
  request.once('response', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}

function passOn(answer: IncomingMessage, res: ServerResponse, service: DownloadTarget['service'], stalledClientMs: number): void {
  const { statusCode = 0 } = answer;
  if (!PASSED_STATUSES.has(statusCode)) {
    answer.destroy();
    if (statusCode === RANGE_NOT_SATISFIABLE) return refuseRange(answer, res);
    return refuse(res, service, new Error(`the ${service} service answered a download with ${statusCode}`));
  }
  const headers: OutgoingHttpHeaders = { ...SAFE, ...pick(answer) };
  res.writeHead(statusCode, { ...headers, 'x-content-type-options': 'nosniff', 'x-request-id': getResponseContext(res).id });
  // Uses the timeout of the socket, because only the socket sees a client, or a service, that stalls without closing.
  res.setTimeout(stalledClientMs, () => res.destroy());
  // A client that leaves also ends the answer; that is not a failure of the service.
  answer.once('error', (error) => {
    if (!res.destroyed) getResponseContext(res).error = broken(service, error);
  });
  pipeline(answer, res, () => undefined);
}

function pick({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const given = PASSED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  return Object.fromEntries(given);
}

function refuseRange({ headers }: IncomingMessage, res: ServerResponse): void {
  const { id } = getResponseContext(res);
  const size = headers['content-range'];
  const error = new GatewayError('RANGE_NOT_SATISFIABLE', 'the file has no such range', { param: 'Range' });
  sendError(res, id, error, { 'accept-ranges': 'bytes', ...(size !== undefined && { 'content-range': size }) });
}

/** Clients do not see the response of the service: its signed URLs and its errors stay inside the gateway. */
function refuse(res: ServerResponse | undefined, service: DownloadTarget['service'], cause: unknown): void {
  if (!res || res.destroyed) return;
  if (res.headersSent) return void res.destroy();
  sendError(res, getResponseContext(res).id, broken(service, cause));
}

function broken(service: DownloadTarget['service'], cause: unknown): GatewayError {
  return new GatewayError('SERVICE_UNAVAILABLE', `the ${service} service cannot be reached`, { cause });
}
