import { Archive } from './archive.mjs';

/**
 * The entries of a ZIP with their sizes. None of them is opened.
 * @param {Uint8Array} bytes
 * @param {import('./output.mjs').Output} output
 * @param {import('./work.mjs').Work} work
 */
export async function read(bytes, output, work) {
  const archive = await Archive.open(bytes, work);
  output.add(`ZIP archive, ${archive.count.toLocaleString('en')} ${archive.count === 1 ? 'entry' : 'entries'}:\n`);
  for (const { name, uncompressedSize, isLocked } of archive.entries.values()) {
    const size = name.endsWith('/') ? 'folder' : `${uncompressedSize.toLocaleString('en')} bytes`;
    output.add(`${name} (${size}${isLocked ? ', locked with a password' : ''})\n`);
  }
  if (archive.entries.size > 0) output.note('A ZIP archive is listed only: what its entries hold was not read.');
  if (archive.entries.size < archive.count) output.note('Not all of its entries are listed.');
}
