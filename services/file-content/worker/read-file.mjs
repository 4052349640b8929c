// Reads files away from the event loop that carries streams. Plain JavaScript: sources and dist start the same file.
import { parentPort } from 'node:worker_threads';
import { Output, Unreadable } from './output.mjs';

/** @type {Record<string, () => Promise<{ read: (bytes: Uint8Array, output: Output, limits: import('./output.mjs').Limits) => Promise<void> }>>} */
const READERS = {
  pdf: () => import('./read-pdf.mjs'),
  docx: () => import('./read-docx.mjs'),
  xlsx: () => import('./read-xlsx.mjs'),
  pptx: () => import('./read-pptx.mjs'),
  zip: () => import('./read-zip.mjs'),
};

/** @param {{ reader: string, bytes: Uint8Array, limits: import('./output.mjs').Limits }} file */
async function readFile({ reader, bytes, limits }) {
  const output = new Output(limits.outputCharacters);
  try {
    const { read } = await READERS[reader]();
    await read(bytes, output, limits);
  } catch (error) {
    // What was read before the damage is worth keeping.
    output.note(error instanceof Unreadable ? error.message : output.isEmpty ? DAMAGED : DAMAGED_LATER);
  }
  if (output.saysNothing) output.note('The file holds no text that can be read.');
  return output.end();
}

const DAMAGED = 'The file could not be read: it is damaged.';
const DAMAGED_LATER = 'The rest of the file could not be read: it is damaged.';

// A promise that the PDF reader left alone must not end the thread: the file it belonged to has been answered.
process.on('unhandledRejection', () => undefined);

parentPort?.on('message', async (file) => parentPort?.postMessage(await readFile(file)));
