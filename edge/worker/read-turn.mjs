// Reads large chat bodies away from the event loop that everybody's requests are answered on. Plain JavaScript: sources and dist start the same file.
import { parentPort } from 'node:worker_threads';
import { answerJob } from '@parley/edge/read-turn';

parentPort?.on('message', (/** @type {import('@parley/edge/read-turn').ReadJob} */ job) => {
  const answer = answerJob(job);
  parentPort?.postMessage(answer, 'chat' in answer ? [answer.chat.encoded.bytes.buffer] : []);
});
