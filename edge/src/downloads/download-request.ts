import { IncomingMessage } from 'node:http';

/** Where a service serves the bytes of one download. */
export interface DownloadTarget {
  /** Whose they are. */
  service: 'asset' | 'audio';
  /** Base URL of its listener. */
  baseUrl: string;
  /** Path and query of the signed URL. */
  path: string;
}

/** Which part is wanted, and what the client has already; the service gets nothing else of a request. */
const FORWARDED = ['range', 'if-range', 'if-none-match', 'if-modified-since'] as const;

/**
 * The request of one download to a service. A request of its own instead of the client's with headers taken out, so that no
 * key, cookie, body or hop-by-hop header can get there, whatever a client sends.
 */
export class DownloadRequest extends IncomingMessage {
  readonly baseUrl: string;
  readonly service: DownloadTarget['service'];

  constructor(from: IncomingMessage, { service, baseUrl, path }: DownloadTarget, requestId: string) {
    super(from.socket);
    this.baseUrl = baseUrl;
    this.service = service;
    this.method = from.method ?? 'GET';
    this.url = path;
    this.headers = { 'x-request-id': requestId };
    for (const name of FORWARDED) {
      const value = from.headers[name];
      if (typeof value === 'string') this.headers[name] = value;
    }
    // Without it the end of this request would count as an abort, and take the client's connection along.
    this.complete = true;
    this.push(null);
  }
}
