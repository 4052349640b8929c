import { parentPort } from 'node:worker_threads';
import { answerJob, type ReadJob } from './thread-protocol.ts';

// The thread of ReaderThread: reads large chat bodies away from the event loop that answers all other requests.
parentPort?.on('message', (job: ReadJob) => {
  const answer = answerJob(job);
  parentPort?.postMessage(answer, 'chat' in answer ? [answer.chat.encoded.bytes.buffer as ArrayBuffer] : []);
});
