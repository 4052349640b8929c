// Counts tokens away from the event loop that carries streams. Plain JavaScript: sources and dist start the same file.
import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Beyond this many characters a count is scaled up from the beginning: exactness is not worth seconds of CPU. */
const EXACT = 200_000;

/** @param {string} text */
function count(text) {
  if (text.length <= EXACT) return countTokens(text);
  return Math.round((countTokens(text.slice(0, EXACT)) * text.length) / EXACT);
}

parentPort?.on('message', (/** @type {{ id: number, text: string }[]} */ batch) => {
  parentPort?.postMessage(batch.map(({ id, text }) => ({ id, tokens: count(text) })));
});
