import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;

/** Resolves when a server responds to HTTP at the URL with a status that `accept` accepts. Has no timeout of its own. */
export async function waitForHttp(url: string, accept: (status: number) => boolean = () => true): Promise<void> {
  for (;;) {
    const status = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.body?.cancel().then(() => response.status) ?? response.status,
      () => 0,
    );
    if (status !== 0 && accept(status)) return;
    await sleep(EVERY_MS);
  }
}

/** Resolves when a server accepts connections at a port of 127.0.0.1. Has no timeout of its own. */
export async function waitForPort(port: number): Promise<void> {
  while (!(await tryConnect(port))) await sleep(EVERY_MS);
}

function tryConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
