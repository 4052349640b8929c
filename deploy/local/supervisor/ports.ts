import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';

/** Below what Linux and macOS give to outgoing connections: one of those would take the port before the part that it is meant for listens on it. */
const RANGE = { from: 20_000, to: 32_760 };
/**
 * Ports are taken in blocks. A process listens on the first port of a block for as long as it runs, and hands out the others:
 * two Parleys that start together, or a part that is down for a moment, never meet on a port.
 */
const BLOCK = 20;
/** After so many blocks that are taken, any port will do. */
const TRIES = 200;

const free: number[] = [];
let taking: Promise<void> | undefined;

/** A free TCP port on 127.0.0.1 that neither this process nor another Parley of this machine has handed out and may still use. */
export async function freePort(): Promise<number> {
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

/** Whether the block that begins at a port is this process's, until the process ends. */
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

/** The port that a file holds; a free one, which the file holds from then on, when there is none or another program listens on it. */
export async function keptPort(file: string): Promise<number> {
  const kept = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (kept > 0 && kept < 65_536 && (await keep(kept))) return kept;
  const port = await freePort();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${port}\n`, { mode: 0o600 });
  return port;
}

/** Whether a port of an earlier run is still to be had: neither in use nor in the block of another Parley. */
async function keep(port: number): Promise<boolean> {
  const first = port - (port % BLOCK);
  const isOurs = reserved.has(first) || port < RANGE.from || port >= RANGE.to || (await reserve(first));
  if (!isOurs || !(await isFree(port))) return false;
  // It is not for the next part as well.
  const at = free.indexOf(port);
  if (at >= 0) free.splice(at, 1);
  return true;
}

/** Undefined when the port is taken. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(server));
  });
}
