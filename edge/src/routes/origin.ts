import { type IncomingMessage } from 'node:http';
import { type RouteDeps } from './deps.ts';

/** Returns the origin that clients use, without a trailing slash: the configured one, or that of the local socket address. */
export function getOrigin({ socket }: IncomingMessage, { config }: Pick<RouteDeps, 'config'>): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  // The Host header is ignored, because a client can forge it.
  const address = socket.localAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  return `http://${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
}
