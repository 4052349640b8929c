// Speaks and encodes away from the event loop that carries streams. Plain JavaScript: sources and dist start the same file.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** @type {Record<string, () => Promise<{ run: (task: never) => Promise<{ transfer?: ArrayBuffer[] }> }>>} */
const TASKS = {
  flite: () => import('./flite.mjs'),
  encode: () => import('./encode.mjs'),
};

// On Linux this is the priority of the calling thread alone: requests go first. Elsewhere it would be that of the process.
if (process.platform === 'linux') {
  try {
    setPriority(0, 10);
  } catch {
    // A container may forbid it; speech is made all the same.
  }
}

parentPort?.on('message', async ({ name, task }) => {
  try {
    const { run } = await TASKS[name]();
    const result = await run(/** @type {never} */ (task));
    parentPort?.postMessage({ result }, result.transfer ?? []);
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
