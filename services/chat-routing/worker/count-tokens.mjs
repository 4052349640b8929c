import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
// @ts-check
// Counts tokens away from the event loop that carries streams. Plain JavaScript: sources and dist start the same file.
import { parentPort } from 'node:worker_threads';

/** Characters that are counted exactly; the count of a longer text is scaled up, since exactness is not worth seconds of CPU. */
const EXACT = 200_000;
/** The tokenizer takes quadratic time for a run without a break (47 s for 200,000 letters), so that a longer run is counted in pieces. */
const RUN = 256;
const LONG_RUN = new RegExp(`\\S{${RUN + 1}}|\\s{${RUN + 1}}`, 'u');
const PIECES = new RegExp(`[^]{1,${RUN}}`, 'gu');
/** Text that looks like a special token is ordinary text here; by default the tokenizer throws. */
const OPTIONS = { disallowedSpecial: new Set() };

/** @param {string} text */
function count(text) {
  const exact = text.slice(0, EXACT);
  const pieces = LONG_RUN.test(exact) ? (exact.match(PIECES) ?? []) : [exact];
  const tokens = pieces.reduce((sum, piece) => sum + countTokens(piece, OPTIONS), 0);
  return Math.round((tokens * text.length) / exact.length);
}

parentPort?.on('message', (/** @type {{ id: number, text: string }[]} */ batch) => {
  parentPort?.postMessage(batch.map(({ id, text }) => ({ id, tokens: count(text) })));
});
