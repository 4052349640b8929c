import { getDocumentProxy } from 'unpdf';
import { Unreadable } from './output.mjs';

/**
 * The text of a PDF, page by page with an empty line between them.
 * @param {Uint8Array} bytes
 * @param {import('./output.mjs').Output} output
 */
export async function read(bytes, output) {
  const pdf = await open(bytes);
  try {
    for (let number = 1; number <= pdf.numPages && !output.isFull; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      if (number > 1 && !output.isEmpty) output.add('\n\n');
      for (const item of items) if ('str' in item) output.add(item.hasEOL ? `${item.str}\n` : item.str);
      page.cleanup();
    }
  } finally {
    await pdf.loadingTask.destroy();
  }
  if (output.isEmpty) output.note('The file holds no text that can be read; its pages may be pictures.');
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
