import { IncomingMessage } from 'node:http';

/** The signed URL at which a service serves the bytes of one download. */
export interface DownloadTarget {
  /** The service that stores the file. */
  service: 'asset' | 'audio';
  /** Base URL of its listener. */
  baseUrl: string;
  /** Path and query of the signed URL. */
  path: string;
}

/** Request headers that are forwarded: ranges and cache validators. */
const FORWARDED = ['range', 'if-range', 'if-none-match', 'if-modified-since'] as const;

/**
 * The request of one download to a service. It is created from scratch, not a copy of the client's request, so that no key, cookie, body or
 * hop-by-hop header can reach the service.
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
    // Otherwise the end of this request would count as an abort, and close the client's connection.
    this.complete = true;
    this.push(null);
  }
}
