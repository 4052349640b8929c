import ipaddr from 'ipaddr.js';

/** An address of the network layer. */
export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: an address in it and the bits that all its addresses share. */
export type Network = [Ip, number];

/** The address that a host is, and undefined for a name. Takes the brackets of a URL, and an IPv4 address in IPv6 for what it is. */
export function addressOf(host: string): Ip | undefined {
  const bare = host.replace(/^\[|\]$/g, '');
  // Other forms of IPv4 (octal, decimal, short) are names to us: what URLs hold has been made plain before, and resolvers answer plainly.
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** Whether everybody can reach an address: nothing private, local, reserved, or that stands for another address. */
export function isPublic(address: Ip): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? !isIn(address, RESERVED_V4) : address.match(GLOBAL_V6) && !isIn(address, TRANSLATED_V6);
}

/** Whether an address is in one of some networks. */
export function isIn(address: Ip, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Whether a host of a URL may be anybody's: a public address, or a name that is not local by its form. What a name stands for is not asked. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const address = addressOf(host);
  return address ? isPublic(address) : host.includes('.') && !LOCAL_NAME.test(host);
}

/** Only this part of IPv6 is given out for everybody. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** 6to4 and Teredo carry an IPv4 address that a relay goes on to; the rest is documentation, benchmarks and identifiers. */
const TRANSLATED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((text) => ipaddr.IPv6.parseCIDR(text));
const RESERVED_V4 = ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '224.0.0.0/3'].map((text) =>
  ipaddr.IPv4.parseCIDR(text),
);
/** Names of RFC 6761, RFC 6762 and RFC 8375, and those that networks at home and in companies use. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|home\.arpa)$/;
