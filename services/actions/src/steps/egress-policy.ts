import { type Ip, isInNetworks, type IpNetwork } from '@parley/kit/egress/public-address';
import ipaddr from 'ipaddr.js';

/** Targets of steps that the operator allows; they are allowed to every published action. */
export interface EgressPolicy {
  /** `host` (the standard ports of http and https) or `host:port`; an address that is not public must be listed itself, with its port. */
  allowedHosts: ReadonlySet<string>;
  /** Networks that names may resolve to although they are not public. */
  allowedNetworks: readonly IpNetwork[];
}

/**
 * Parses the operator's configuration: `api.example.com`, `api.example.com:8443`, `127.0.0.1:8123`, `[fd00::1]:80`, and networks such as
 * `10.1.0.0/16`.
 * @throws Error naming an invalid entry
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

/** Returns host and port of a URL in the form of the policy, without a trailing dot. */
export function toHostKey({ hostname, port, protocol }: Pick<URL, 'hostname' | 'port' | 'protocol'>): string {
  return `${plainHost(hostname)}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Whether an address is in a network that the operator allows. */
export function isAllowedNetwork(address: Ip, { allowedNetworks }: EgressPolicy): boolean {
  return isInNetworks(address, allowedNetworks);
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function readHost(entry: string): string[] {
  const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : undefined;
  const plain = url?.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === '';
  if (!url || !plain || /[/?#@\s*]/.test(entry)) throw new Error(`${entry} is not a host such as api.example.com or 127.0.0.1:8123`);
  const host = plainHost(url.hostname);
  // URL parsing removes the default port `:80`.
  const port = /:(\d+)$/.exec(entry.replace(/^\[.*\]/, ''))?.[1];
  return port === undefined ? [`${host}:80`, `${host}:443`] : [`${host}:${Number(port)}`];
}
