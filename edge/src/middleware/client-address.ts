import { type IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Returns the IP address of the client of a request; empty when the socket has closed. */
export type ClientAddressResolver = (req: IncomingMessage) => string;

/**
 * Returns the resolver of client addresses. It uses `X-Forwarded-For` only from trusted proxies: the last address in it that
 * is not a trusted proxy. All other clients can forge the header.
 */
export function createClientAddressResolver(trustedProxies: readonly string[]): ClientAddressResolver {
  if (trustedProxies.length === 0) return (req) => plain(req.socket.remoteAddress ?? '');
  const trusted = blockListOf(trustedProxies);
  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
  return (req) => {
    let address = plain(req.socket.remoteAddress ?? '');
    const forwarded = req.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return address;
    const hops = forwarded.split(',').map((hop) => plain(hop.trim()));
    while (isTrusted(address)) {
      const hop = hops.pop();
      if (hop === undefined || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}

/** The part of an address that identifies a client for limits: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function toNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const gap = address.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : [];
  return [...left, ...gap, ...right].slice(0, 4).join(':');
}

function blockListOf(addresses: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const entry of addresses) {
    const [ip = '', prefix] = entry.split('/');
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) blocks.addAddress(ip, family);
    else blocks.addSubnet(ip, Number(prefix), family);
  }
  return blocks;
}

/** Removes the prefix of an IPv4-mapped address: a dual-stack socket shows IPv4 clients as `::ffff:1.2.3.4`. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
