import { rm } from 'node:fs/promises';

/** Stops what global-setup started and deletes its folder. */
export default async function globalTeardown() {
  await stopServers(globalThis.parleyTestServers);
}

/** Ends the servers of a (perhaps half-finished) setup. */
export async function stopServers(servers) {
  await Promise.allSettled(servers.handles.map((handle) => handle.stop()));
  if (servers.folder) await rm(servers.folder, { recursive: true, force: true });
}
