import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';

/**
 * Range of ports, below that of outgoing connections on Linux and macOS: one of those could take the port before the process listens.
 */
const RANGE = { from: 20_000, to: 32_760 };
/**
 * Number of ports in a block. A process listens on the first port of a block for as long as it runs, and assigns the others: two gateways
 * that start at the same time, or a process that is down for a moment, never conflict on a port.
 */
const BLOCK = 20;
/** Number of attempts to find a free block; afterwards any free port is used. */
const TRIES = 200;

const free: number[] = [];
let taking: Promise<void> | undefined;

/** Resolves with a free TCP port on 127.0.0.1 that neither this process nor another gateway of this machine has assigned. */
export async function getFreePort(): Promise<number> {
  for (;;) {
    const port = free.shift();
    if (port === undefined) await (taking ??= takeBlock().finally(() => (taking = undefined)));
    else if (await isFree(port)) return port;
  }
}

async function takeBlock(): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const first = randomInt(RANGE.from / BLOCK, RANGE.to / BLOCK) * BLOCK;
    if (!(await reserve(first))) continue;
    for (let port = first + 1; port < first + BLOCK; port++) free.push(port);
    return;
  }
  const server = await listenOn(0);
  const address = server?.address();
  if (typeof address === 'object' && address) free.push(address.port);
  await closed(server);
}

const reserved = new Set<number>();

/** Reserves the block that begins at a port, until the process ends; false when another process has it. */
async function reserve(first: number): Promise<boolean> {
  if (reserved.has(first)) return false;
  const gate = await listenOn(first);
  gate?.unref();
  if (gate) reserved.add(first);
  return gate !== undefined;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  await closed(server);
  return server !== undefined;
}

async function closed(server: Server | undefined): Promise<void> {
  if (server) await new Promise((resolve) => server.close(resolve));
}

/** Resolves with the port in a file; if there is none or another program listens on it, with a free port, which it writes to the file. */
export async function getPersistentPort(file: string): Promise<number> {
  const kept = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (kept > 0 && kept < 65_536 && (await keep(kept))) return kept;
  const port = await getFreePort();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${port}\n`, { mode: 0o600 });
  return port;
}

/** Whether a port of an earlier run is still available: neither in use nor in the block of another gateway. */
async function keep(port: number): Promise<boolean> {
  const first = port - (port % BLOCK);
  const isOurs = reserved.has(first) || port < RANGE.from || port >= RANGE.to || (await reserve(first));
  if (!isOurs || !(await isFree(port))) return false;
  // Removes it from the free ports.
  const at = free.indexOf(port);
  if (at >= 0) free.splice(at, 1);
  return true;
}

/** Resolves with a listening server; undefined when the port is in use. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(server));
  });
}
