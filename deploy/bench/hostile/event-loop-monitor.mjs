// Loaded by the processes of a composition that is measured: the one that has the edge in it notes how late its event loop was, every 100 ms.
import { appendFile } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 100;
const file = process.env.PARLEY_EVENT_LOOP_FILE;
const hasEdge = /dist\/bundle\/(?:edge|single)\.js$/.test(process.argv[1] ?? '');

if (file !== undefined && hasEdge && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  setInterval(() => {
    appendFile(file, `${Date.now()} ${delay.max / 1e6}\n`, () => undefined);
    delay.reset();
  }, EVERY_MS).unref();
}
