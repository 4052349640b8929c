import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { runReadJob, type ReadJob } from './thread-protocol.ts';

// The event loop that serves all requests has precedence when both need the same core. A priority applies to a single thread only on Linux.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// The worker of ReaderThread: reads large chat bodies outside the event loop that serves all other requests.
parentPort?.on('message', (job: ReadJob) => {
  const answer = runReadJob(job);
  parentPort?.postMessage(answer, 'chat' in answer ? [answer.chat.encoded.bytes.buffer as ArrayBuffer] : []);
});
