// Runs in a thread of its own, since reading may block the event loop: kills the process when it is too large or its parent has exited.
import { workerData } from 'node:worker_threads';

const WATCH_MS = 25;
const parent = process.ppid;
/** @type {{ memoryMb: number }} */
const { memoryMb } = workerData;

setInterval(() => {
  // V8 bounds the heap of a process, but not its buffers: only the size of the process shows those.
  const isTooLarge = process.memoryUsage.rss() > memoryMb * 2 ** 20;
  if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, WATCH_MS);
