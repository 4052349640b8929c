import type { ConnectionOptions } from 'nats';

const DEFAULT_PORT = '4222';
const SCHEMES = ['nats:', 'tls:'];

/**
 * Connection options of a broker's URL: one or more `nats://user:password@host:port` or `nats://token@host:port`, separated by commas;
 * `tls://` asks for TLS. The NATS client reads a login in a URL as part of the host name.
 * @throws TypeError for anything else; the message does not repeat the URL
 */
export function brokerOptions(url: string): ConnectionOptions {
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
  // The text is not repeated: it may hold a password.
  if (!url || !SCHEMES.includes(url.protocol) || url.hostname === '') throw new TypeError('not a nats:// or tls:// URL');
  return url;
}

function credentials({ username, password }: URL): ConnectionOptions {
  if (password === '') return { token: decodeURIComponent(username) };
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
