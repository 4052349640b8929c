import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { type EdgeConfig } from '../config.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for methods that do not change state: GET, HEAD and OPTIONS (RFC 9110, section 9.2.1). */
export function isSafeMethod(method: string | undefined): boolean {
  return SAFE.has(method ?? '');
}

/**
 * Rejects a request from a page of another site, by its `Origin` or `Sec-Fetch-Site` header; used for requests that change state.
 * @throws GatewayError CSRF_REJECTED
 */
export function requireSameOrigin(req: IncomingMessage, config: Pick<EdgeConfig, 'publicUrl'>): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (origin === undefined ? site === 'same-origin' : listOwnOrigins(req, config).includes(origin)) return;
  const problem = origin === undefined ? 'send the Origin header' : 'the request comes from another site';
  throw new GatewayError('CSRF_REJECTED', problem, { param: 'Origin' });
}

/**
 * Returns the origins of the gateway's pages: the configured one; without it those of the socket address, because the client chooses the
 * Host header.
 */
export function listOwnOrigins({ socket }: IncomingMessage, { publicUrl }: Pick<EdgeConfig, 'publicUrl'>): string[] {
  if (publicUrl !== undefined) return [publicUrl];
  const { localPort } = socket;
  const address = socket.localAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  const isLoopback = address === '::1' || address.startsWith('127.');
  const hosts = [address.includes(':') ? `[${address}]` : address, ...(isLoopback ? ['localhost'] : [])];
  return hosts.map((host) => new URL(`http://${host}:${localPort}`).origin);
}
