import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A loopback port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no loopback port to be had');
  return address.port;
}

/** Polls until `ready` holds; false when `timeoutMs` pass or `alive` ends first. */
export async function until(ready: () => Promise<boolean>, timeoutMs: number, alive: () => boolean = () => true): Promise<boolean> {
  const giveUp = performance.now() + timeoutMs;
  while (performance.now() < giveUp && alive()) {
    if (await ready()) return true;
    await delay(50);
  }
  return false;
}

/** Whether a GET is answered with a status that suits; false as well without an answer. */
export async function answers(url: string, suits: (status: number) => boolean): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return suits(response.status);
  } catch {
    return false;
  }
}
