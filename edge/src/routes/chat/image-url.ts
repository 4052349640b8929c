import { BlockList, isIP } from 'node:net';
import { GatewayError } from '@parley/protos/errors';

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

const DATA_IMAGE = /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/;
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|home\.arpa)$/;

/**
 * Refuses an image URL that could make an upstream look at somebody's private network. Nothing is fetched here: data URLs and
 * public https URLs travel on to adapters that declare images. Throws INVALID_REQUEST naming the message's position.
 */
export function requireImageUrl(url: string, param: string): void {
  if (url.startsWith('data:')) {
    if (!DATA_IMAGE.test(url)) throw refused('a data URL must hold a base64 image', param);
    return;
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password)
    throw refused('an image URL must be a data: or https: URL', param);
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  const isPrivate = family === 0 ? !host.includes('.') || LOCAL_NAME.test(host) : PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6');
  if (isPrivate) throw refused('an image URL must name a public host', param);
}

function refused(message: string, param: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', message, { param });
}
