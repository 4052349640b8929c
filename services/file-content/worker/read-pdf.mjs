import { getDocumentProxy } from 'unpdf';
import { Unreadable } from './output.mjs';

/**
 * The text of a PDF, page by page with an empty line between them.
 * @param {Uint8Array} bytes
 * @param {import('./output.mjs').Output} output
 * @param {import('./work.mjs').Work} work
 */
export async function read(bytes, output, work) {
  const pdf = await open(bytes);
  try {
    for (let number = 1; number <= pdf.numPages && !output.isFull; number++) {
      work.turnPage();
      const page = await pdf.getPage(number);
      if (number > 1 && !output.isEmpty) output.add('\n\n');
      await readPage(page, output);
      page.cleanup();
    }
  } finally {
    await pdf.loadingTask.destroy();
  }
  if (output.isEmpty) output.note('The file holds no text that can be read; its pages may be pictures.');
}

/**
 * Reads a page as it is parsed, until the output is full.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page
 * @param {import('./output.mjs').Output} output
 */
async function readPage(page, output) {
  const reader = page.streamTextContent().getReader();
  for (let next = await reader.read(); !next.done && !output.isFull; next = await reader.read()) {
    for (const item of next.value.items) if ('str' in item) output.add(item.hasEOL ? `${item.str}\n` : item.str);
  }
  if (output.isFull) await reader.cancel(new Error('the output is full'));
}

/** @param {Uint8Array} bytes */
async function open(bytes) {
  try {
    // 0: errors only. Warnings would quote the file.
    return await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false, enableXfa: false, useSystemFonts: false });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new Unreadable('The file could not be read: it is locked with a password.');
    }
    throw error;
  }
}
