import type { ConnectionOptions } from 'nats';

const DEFAULT_PORT = '4222';

/**
 * Connection options of a broker's URL: one or more `nats://user:password@host:port` or `nats://token@host:port`, separated by commas;
 * `tls://` asks for TLS. The client itself would take a login in a URL for a part of the host's name.
 * @throws TypeError for what is not a URL
 */
export function brokerOptions(url: string): ConnectionOptions {
  const urls = url.split(',').map((part) => new URL(part.trim()));
  const login = urls.find(({ username }) => username !== '');
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`),
    ...(login && credentials(login)),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
}

function credentials({ username, password }: URL): ConnectionOptions {
  if (password === '') return { token: decodeURIComponent(username) };
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
