import { lookup } from 'node:dns/promises';

/** Finds the IP addresses of a host name. Rejects when the name is unknown. */
export type Lookup = (host: string) => Promise<readonly string[]>;

const DNS = 'dns:///';

/** The entries of an address: one, or several separated by commas. */
function entriesOf(address: string): string[] {
  return address
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** An address stands for itself or is a list; only a `dns:///` name is looked up, now and again. */
export function isLookedUp(address: string): boolean {
  return entriesOf(address).some((entry) => entry.startsWith(DNS));
}

/** Where an address leads without looking anything up; a name is left to gRPC, which then takes one of its hosts. */
export function placesOf(address: string): string[] {
  return [...new Set(entriesOf(address))];
}

/** Every `host:port` that an address stands for at this moment. Rejects when one of its names is unknown. */
export async function resolveAddress(address: string, find: Lookup = findHosts): Promise<string[]> {
  const places = await Promise.all(
    entriesOf(address).map(async (entry) => {
      if (!entry.startsWith(DNS)) return [entry];
      const { hostname, port } = new URL(`tcp://${entry.slice(DNS.length)}`);
      const hosts = await find(hostname);
      return hosts.map((host) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`));
    }),
  );
  return [...new Set(places.flat())].sort();
}

/** As other programs see it: with /etc/hosts, and every address of the name. */
async function findHosts(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
