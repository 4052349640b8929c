import { createServer, type Server } from 'node:net';

// Two Parleys that start together may still be handed the same port; the part that loses fails to bind and is started again.
const handedOut = new Set<number>();

/** A free TCP port on 127.0.0.1 that this process has not handed out before. */
export async function freePort(): Promise<number> {
  const held: Server[] = [];
  try {
    for (;;) {
      const server = await listenAnywhere();
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

function listenAnywhere(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, () => resolve(server));
  });
}
