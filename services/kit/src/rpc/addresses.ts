import { lookup } from 'node:dns/promises';

/** Resolves a host name to its IP addresses. Rejects when the name is unknown. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

const DNS = 'dns:///';

/** Splits an address at its commas, without blank entries. */
function splitAddress(address: string): string[] {
  return address
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Whether an address contains a `dns:///` name, which is resolved periodically. */
export function needsLookup(address: string): boolean {
  return splitAddress(address).some((entry) => entry.startsWith(DNS));
}

/** Returns the targets of an address before any name is resolved; gRPC itself resolves a `dns:///` target to one of its hosts. */
export function listTargets(address: string): string[] {
  return [...new Set(splitAddress(address))];
}

/** Resolves an address to the list of its current `host:port` targets, sorted. Rejects when one of its names is unknown. */
export async function resolveTargets(address: string, find: HostLookup = findHosts): Promise<string[]> {
  const targets = await Promise.all(
    splitAddress(address).map(async (entry) => {
      if (!entry.startsWith(DNS)) return [entry];
      const { hostname, port } = new URL(`tcp://${entry.slice(DNS.length)}`);
      const hosts = await find(hostname);
      return hosts.map((host) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`));
    }),
  );
  return [...new Set(targets.flat())].sort();
}

/** Resolves a host name with the system's resolver and /etc/hosts; returns all its addresses. */
async function findHosts(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
