import { type Job } from './protocol.ts';

/** Where a job's connections go. */
export interface Endpoint {
  host: string;
  port: number;
}

/** Host and port of a base URL; throws for anything but plain http with a port. */
export function endpointOf(url: string): Endpoint {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' || port === '') throw new Error(`the load speaks plain http to a port, not ${url}`);
  return { host: hostname, port: Number(port) };
}

/** Renders the one request of a job: it is the same bytes every time, so it is built once. */
export function renderRequest(job: Pick<Job, 'url' | 'headers' | 'body'>): Buffer {
  const { host, port } = endpointOf(job.url);
  const headers = {
    Host: `${host}:${port}`,
    'Content-Type': 'application/json',
    ...job.headers,
    'Content-Length': String(Buffer.byteLength(job.body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join('')}\r\n${job.body}`);
}
