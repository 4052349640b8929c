import { Archive } from './archive.mjs';
import { Unreadable } from './output.mjs';
import { isDateFormat, showDate } from './sheet-dates.mjs';
import { attribute, readRelations, walkXml } from './xml.mjs';

/** Excel's own limit of a cell, and how many empty columns in a row are shown as such. */
const MAX_CELL = 32_767;
const MAX_GAP = 20;

/** @typedef {{ strings: string[], dateStyles: Set<number>, is1904: boolean }} Book */

/**
 * The text of a workbook: each sheet by its name, a line for each row, bars between the cells. Values as they were last calculated.
 * @param {Uint8Array} bytes
 * @param {import('./output.mjs').Output} output
 * @param {import('./work.mjs').Work} work
 */
export async function read(bytes, output, work) {
  const archive = await Archive.open(bytes, work);
  const workbook = archive.find(/^xl\/workbook\d*\.xml$/);
  if (!workbook) throw new Unreadable('The file could not be read: it holds no workbook.');
  const relations = await readRelations(archive, workbook.name);
  /** @type {{ name: string, target: string }[]} */
  const sheets = [];
  /** @type {Book} */
  const book = { strings: [], dateStyles: new Set(), is1904: false };
  await walkXml(archive, workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') book.is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      const relation = name === 'sheet' ? relations.get(attribute(attributes, 'id') ?? '') : undefined;
      if (relation) sheets.push({ name: attributes.name ?? '', target: relation.target });
    },
  });
  const parts = [...relations.values()];
  await readStrings(archive, parts.find(({ type }) => type === 'sharedStrings')?.target, book);
  await readStyles(archive, parts.find(({ type }) => type === 'styles')?.target, book);
  for (const { name, target } of sheets) {
    if (output.isFull) return;
    const sheet = archive.entries.get(target);
    output.add(`Sheet: ${name}\n`);
    if (sheet) await walkXml(archive, sheet, rows(output, book));
    else output.note('A sheet of the file is missing.');
    output.add('\n');
  }
}

/**
 * @param {Archive} archive
 * @param {string | undefined} part
 * @param {Book} book
 */
async function readStrings(archive, part, book) {
  const entry = archive.entries.get(part ?? '');
  if (!entry) return;
  let isText = false;
  // Japanese sheets hold the pronunciation of a word beside it.
  let isSpoken = false;
  let value = '';
  await walkXml(archive, entry, {
    open: (name) => {
      if (name === 'rPh') isSpoken = true;
      isText = name === 't';
    },
    text: (text) => {
      if (isText && !isSpoken && value.length < MAX_CELL) value += text;
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isSpoken = false;
      if (name !== 'si') return;
      book.strings.push(value.slice(0, MAX_CELL));
      value = '';
    },
  });
}

/**
 * @param {Archive} archive
 * @param {string | undefined} part
 * @param {Book} book
 */
async function readStyles(archive, part, book) {
  const entry = archive.entries.get(part ?? '');
  if (!entry) return;
  /** @type {Map<string, string>} */
  const formats = new Map();
  let isInCells = false;
  let style = 0;
  await walkXml(archive, entry, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(numFmtId, formatCode);
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        if (isDateFormat(Number(numFmtId), formats.get(numFmtId))) book.dateStyles.add(style);
        style++;
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
}

/**
 * @param {import('./output.mjs').Output} output
 * @param {Book} book
 * @returns {import('./xml.mjs').Visitor}
 */
function rows(output, book) {
  let column = 0;
  let written = 0;
  let cell = { type: '', style: 0 };
  let isValue = false;
  let value = '';
  return {
    isDone: () => output.isFull,
    open: (name, attributes) => {
      if (name === 'row') column = written = 0;
      else if (name === 'c') {
        column = toColumn(attributes.r) ?? column + 1;
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0) };
        value = '';
      } else if (name === 'v' || name === 't') isValue = true;
    },
    text: (text) => {
      if (isValue && value.length < MAX_CELL) value += text;
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'row' && written > 0) output.add('\n');
      else if (name === 'c' && value !== '') {
        const gap = Math.min(column - Math.max(written, 1), MAX_GAP);
        output.add(' | '.repeat(Math.max(gap, 0)) + show(value, cell, book));
        written = column;
      }
    },
  };
}

/**
 * @param {string} value
 * @param {{ type: string, style: number }} cell
 * @param {Book} book
 */
function show(value, { type, style }, book) {
  if (type === 's') return book.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value.slice(0, MAX_CELL);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (book.dateStyles.has(style)) return showDate(number, book.is1904);
  // Excel shows 15 significant digits: 0.3, where the file says 0.30000000000000004.
  return String(Number(number.toPrecision(15)));
}

/**
 * 1 for A, 27 for AA.
 * @param {string | undefined} reference
 */
function toColumn(reference) {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1];
  return letters === undefined ? undefined : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
