import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';

/** Below what Linux and macOS give to outgoing connections: one of those would take the port before the part that it is meant for listens on it. */
const RANGE = { from: 20_000, to: 32_768 };
/** After so many that are taken, any port will do. */
const TRIES = 50;

// Two Parleys that start together may still be handed the same port; the part that loses fails to bind and is started again.
const handedOut = new Set<number>();

/** A free TCP port on 127.0.0.1 that this process has not handed out before. */
export async function freePort(): Promise<number> {
  const held: Server[] = [];
  try {
    for (let tries = 1; ; tries++) {
      const server = await listenOn(tries <= TRIES ? randomInt(RANGE.from, RANGE.to) : 0);
      if (!server) continue;
      // Held until we are done, so that the kernel offers another one next.
      held.push(server);
      const address = server.address();
      if (typeof address !== 'object' || !address || handedOut.has(address.port)) continue;
      handedOut.add(address.port);
      return address.port;
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** The port that a file holds; a free one, which the file holds from then on, when there is none or another program listens on it. */
export async function keptPort(file: string): Promise<number> {
  const kept = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  const server = kept > 0 && kept < 65_536 ? await listenOn(kept) : undefined;
  if (server) {
    await new Promise((resolve) => server.close(resolve));
    handedOut.add(kept);
    return kept;
  }
  const port = await freePort();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${port}\n`, { mode: 0o600 });
  return port;
}

/** Undefined when the port is taken. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve(server));
  });
}
