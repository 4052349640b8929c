// Reads files in a child process, which may be killed at any time. Plain JavaScript: sources and dist start the same file.
import { Worker } from 'node:worker_threads';
import { Output, Unreadable } from './output.mjs';
import { Work } from './work.mjs';

/** @typedef {(bytes: Uint8Array, output: Output, work: Work) => Promise<void>} Read */
/** @typedef {import('./work.mjs').WorkLimits & { outputCharacters: number }} ReadingLimits */

/** @type {Record<string, () => Promise<{ read: Read }>>} */
const READERS = {
  pdf: () => import('./read-pdf.mjs'),
  docx: () => import('./read-docx.mjs'),
  xlsx: () => import('./read-xlsx.mjs'),
  pptx: () => import('./read-pptx.mjs'),
  zip: () => import('./read-zip.mjs'),
};

const DAMAGED = 'The file could not be read: it is damaged.';
const DAMAGED_LATER = 'The rest of the file could not be read: it is damaged.';

/** @param {{ reader: string, bytes: Uint8Array, limits: ReadingLimits }} file */
async function readFile({ reader, bytes, limits }) {
  const output = new Output(limits.outputCharacters);
  const work = new Work(limits, bytes.byteLength);
  try {
    const { read } = await READERS[reader]();
    // The IPC channel delivers a Buffer, which the PDF reader rejects.
    await read(new Uint8Array(bytes), output, work);
  } catch (error) {
    // Text that was read before the damage is kept.
    output.note(error instanceof Unreadable ? error.message : output.isEmpty ? DAMAGED : DAMAGED_LATER);
  }
  if (output.isSilent) output.note('The file holds no text that can be read.');
  return { ...output.end(), work: work.counts, residentBytes: process.memoryUsage.rss() };
}

new Worker(new URL('./watch-process.mjs', import.meta.url), { env: {}, workerData: { memoryMb: Number(process.argv[2]) } }).unref();

// A rejected promise that the PDF reader left unhandled must not end the process: the file it belonged to has been answered.
process.on('unhandledRejection', () => undefined);

process.on('message', (/** @type {Parameters<typeof readFile>[0]} */ file) => void readFile(file).then((result) => process.send?.(result)));
