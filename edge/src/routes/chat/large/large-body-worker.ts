import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { answerReadJob, type ReadJob } from './thread-protocol.ts';

// The event loop of all requests goes first where both need the same core. A priority belongs to the thread on Linux alone.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// The thread of ReaderThread: reads large chat bodies away from the event loop that answers all other requests.
parentPort?.on('message', (job: ReadJob) => {
  const answer = answerReadJob(job);
  parentPort?.postMessage(answer, 'chat' in answer ? [answer.chat.encoded.bytes.buffer as ArrayBuffer] : []);
});
