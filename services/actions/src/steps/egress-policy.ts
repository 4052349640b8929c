import ipaddr from 'ipaddr.js';

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** Where steps may go, as the operator allows it. What is allowed here is allowed to every published action. */
export interface EgressPolicy {
  /** `host` (the standard ports of http and https) or `host:port`; an address that is not public is allowed by its own text and port. */
  allowedHosts: ReadonlySet<string>;
  /** Networks whose addresses names may stand for although they are not public. */
  allowedNetworks: readonly [Ip, number][];
}

/**
 * Reads what the operator allows: `api.example.com`, `api.example.com:8443`, `127.0.0.1:8123`, `[fd00::1]:80`, and networks such as `10.1.0.0/16`.
 * @throws Error naming an entry that is none
 */
export function parseEgressPolicy(hosts: readonly string[], networks: readonly string[]): EgressPolicy {
  return {
    allowedHosts: new Set(hosts.flatMap(readHost)),
    allowedNetworks: networks.map((text) => {
      if (!ipaddr.isValidCIDR(text)) throw new Error(`${text} is not a network such as 10.1.0.0/16`);
      return ipaddr.parseCIDR(text);
    }),
  };
}

/** Host and port of a URL as the policy has them, without the dot that a name may end with. */
export function hostKeyOf({ hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>): string {
  return `${plainHost(hostname)}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** The address that a host is, and undefined for a name. Takes the brackets of a URL, and an IPv4 address in IPv6 for what it is. */
export function addressOf(host: string): Ip | undefined {
  const bare = host.replace(/^\[|\]$/g, '');
  // Other forms of IPv4 (octal, decimal, short) are names to us: what URLs hold has been made plain before, and resolvers answer plainly.
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** Whether everybody can reach an address: nothing private, local, reserved, or that stands for another address. */
export function isPublic(address: Ip): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? !inAny(address, RESERVED_V4) : address.match(GLOBAL_V6) && !inAny(address, TRANSLATED_V6);
}

/** Whether the operator allows an address that is not public. */
export function isAllowedNetwork(address: Ip, { allowedNetworks }: EgressPolicy): boolean {
  return inAny(address, allowedNetworks);
}

/** Only this part of IPv6 is given out for everybody. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** 6to4 and Teredo carry an IPv4 address that somebody's relay goes on to; the rest is documentation, benchmarks and identifiers. */
const TRANSLATED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((text) => ipaddr.IPv6.parseCIDR(text));
const RESERVED_V4 = ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '224.0.0.0/3'].map((text) =>
  ipaddr.IPv4.parseCIDR(text),
);

function inAny(address: Ip, networks: readonly [Ip, number][]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as ipaddr.IPv4, bits));
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function readHost(entry: string): string[] {
  const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : undefined;
  const plain = url?.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === '';
  if (!url || !plain || /[/?#@\s*]/.test(entry)) throw new Error(`${entry} is not a host such as api.example.com or 127.0.0.1:8123`);
  const host = plainHost(url.hostname);
  // `:80` of http is not in the URL any more.
  const port = /:(\d+)$/.exec(entry.replace(/^\[.*\]/, ''))?.[1];
  return port === undefined ? [`${host}:80`, `${host}:443`] : [`${host}:${Number(port)}`];
}
