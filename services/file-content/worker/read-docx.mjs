import { Archive } from './archive.mjs';
import { Unreadable } from './output.mjs';
import { attribute, walkXml } from './xml.mjs';

/** The parts that hold text, in the order in which they are read. */
const PARTS = [
  /^word\/header\d*\.xml$/,
  /^word\/document\d*\.xml$/,
  /^word\/footnotes\.xml$/,
  /^word\/endnotes\.xml$/,
  /^word\/footer\d*\.xml$/,
];

/**
 * The text of a Word document: a line for each paragraph, headings as in Markdown, list items with a dash, table rows with bars.
 * @param {Uint8Array} bytes
 * @param {import('./output.mjs').Output} output
 * @param {import('./work.mjs').Work} work
 */
export async function read(bytes, output, work) {
  const archive = await Archive.open(bytes, work);
  if (!archive.find(PARTS[1])) throw new Unreadable('The file could not be read: it holds no document.');
  for (const part of PARTS) {
    for (const entry of [...archive.entries.values()].filter(({ name }) => part.test(name))) {
      if (output.isFull) return;
      await walkXml(archive, entry, paragraphs(output));
    }
  }
}

/**
 * @param {import('./output.mjs').Output} output
 * @returns {import('./xml.mjs').Visitor}
 */
function paragraphs(output) {
  let isText = false;
  // A paragraph's tab stops have the same element name as a tab character in a run.
  let isRun = false;
  /** Cells so far of the row, and of the rows around it. @type {number[]} */
  const rows = [];
  // A drawing holds its text twice: once as it is, once as a fallback for older readers.
  let fallbacks = 0;
  let isCellEmpty = true;
  /** @param {string} text */
  const add = (text) => {
    if (fallbacks === 0) output.add(text);
  };
  return {
    isDone: () => output.isFull,
    open: (name, attributes) => {
      if (name === 'Fallback') fallbacks++;
      else if (name === 't') isText = true;
      else if (name === 'r') isRun = true;
      else if (name === 'tr') rows.unshift(0);
      else if (name === 'tc') {
        if (rows[0]) add(' | ');
        rows[0]++;
        isCellEmpty = true;
      } else if (name === 'p' && rows.length > 0 && !isCellEmpty) add(' ');
      else if (name === 'tab' && isRun) add('\t');
      else if (name === 'br' || name === 'cr') add(rows.length > 0 ? ' ' : '\n');
      else if (name === 'pStyle') add(headingMark(attribute(attributes, 'val')));
      else if (name === 'numPr' && rows.length === 0) add('- ');
    },
    text: (text) => {
      if (!isText) return;
      isCellEmpty = false;
      add(text);
    },
    close: (name) => {
      if (name === 'Fallback') fallbacks--;
      else if (name === 't') isText = false;
      else if (name === 'r') isRun = false;
      else if (name === 'p' && rows.length === 0) add('\n');
      else if (name === 'tr') {
        rows.shift();
        add(rows.length === 0 ? '\n' : '; ');
      }
    },
  };
}

/** @param {string | undefined} style */
function headingMark(style) {
  const level = style === 'Title' ? 1 : Number(/^Heading([1-6])$/i.exec(style ?? '')?.[1] ?? 0);
  return level > 0 ? `${'#'.repeat(level)} ` : '';
}
