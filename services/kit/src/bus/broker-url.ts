import type { ConnectionOptions } from 'nats';

const DEFAULT_PORT = '4222';
const SCHEMES = ['nats:', 'tls:'];

/**
 * Returns the NATS client's options for a broker URL: one or more `nats://user:password@host:port` or `nats://token@host:port`, separated
 * by commas; `tls://` turns on TLS. Parsed here because the NATS client reads a login in a URL as part of the host name.
 * @throws TypeError for any other text; the message does not repeat the URL
 */
export function parseBrokerUrl(url: string): ConnectionOptions {
  const urls = url.split(',').map((part) => toUrl(part.trim()));
  const login = urls.find(({ username }) => username !== '');
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`),
    ...(login && credentials(login)),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
}

function toUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The message does not repeat the text: it may contain a password.
  if (!url || !SCHEMES.includes(url.protocol) || url.hostname === '') throw new TypeError('not a nats:// or tls:// URL');
  return url;
}

function credentials({ username, password }: URL): ConnectionOptions {
  if (password === '') return { token: decodeURIComponent(username) };
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
