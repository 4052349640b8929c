import ipaddr from 'ipaddr.js';

/** A parsed IPv4 or IPv6 address. */
export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: an address in it and the length of its prefix in bits. */
export type IpNetwork = [Ip, number];

/** Parses a host that is an IP address; undefined for a name. Accepts the brackets of a URL, and unwraps an IPv4 address in IPv6. */
export function parseIp(host: string): Ip | undefined {
  const bare = host.replace(/^\[|\]$/g, '');
  // Other forms of IPv4 (octal, decimal, short) count as names: URL parsers and resolvers return the plain form.
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** Whether an address is public: not private, local or reserved, and not a form that embeds another address. */
export function isPublicIp(address: Ip): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? !isInNetworks(address, RESERVED_V4)
    : address.match(GLOBAL_V6) && !isInNetworks(address, TRANSLATED_V6);
}

/** Whether an address is in one of the networks. */
export function isInNetworks(address: Ip, networks: readonly IpNetwork[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Whether the host of a URL may be public: a public address, or a name that is not local by its form. Does not resolve the name. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const address = parseIp(host);
  return address ? isPublicIp(address) : host.includes('.') && !LOCAL_NAME.test(host);
}

/** The global unicast range of IPv6. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** 6to4 and Teredo embed an IPv4 address that a relay forwards to; the rest is documentation, benchmarks and identifiers. */
const TRANSLATED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((text) => ipaddr.IPv6.parseCIDR(text));
const RESERVED_V4 = ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '224.0.0.0/3'].map((text) =>
  ipaddr.IPv4.parseCIDR(text),
);
/** Names of RFC 6761, RFC 6762 and RFC 8375, and those that private networks use. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|home\.arpa)$/;
