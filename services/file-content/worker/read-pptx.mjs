import { Archive } from './archive.mjs';
import { Unreadable } from './output.mjs';
import { attribute, readRelations, walkXml } from './xml.mjs';

/**
 * The text of a presentation, slide by slide in their order, with the speaker's notes.
 * @param {Uint8Array} bytes
 * @param {import('./output.mjs').Output} output
 * @param {import('./work.mjs').Work} work
 */
export async function read(bytes, output, work) {
  const archive = await Archive.open(bytes, work);
  let number = 0;
  for (const slide of await listSlides(archive)) {
    if (output.isFull) return;
    output.add(`Slide ${++number}\n`);
    await walkXml(archive, slide, paragraphs(output));
    for (const { type, target } of (await readRelations(archive, slide.name)).values()) {
      const notes = type === 'notesSlide' && archive.entries.get(target);
      if (!notes) continue;
      await walkXml(archive, notes, paragraphs(output, 'Notes:\n'));
    }
    output.add('\n');
  }
}

/** @param {Archive} archive */
async function listSlides(archive) {
  const presentation = archive.find(/^ppt\/presentation\d*\.xml$/);
  if (!presentation) throw new Unreadable('The file could not be read: it holds no presentation.');
  const relations = await readRelations(archive, presentation.name);
  /** @type {import('./archive.mjs').ArchiveEntry[]} */
  const slides = [];
  await walkXml(archive, presentation, {
    open: (name, attributes) => {
      const slide = name === 'sldId' && archive.entries.get(relations.get(attribute(attributes, 'id') ?? '')?.target ?? '');
      if (slide) slides.push(slide);
    },
  });
  return slides;
}

/**
 * @param {import('./output.mjs').Output} output
 * @param {string} [heading] written before the first line, if there is one
 * @returns {import('./xml.mjs').Visitor}
 */
function paragraphs(output, heading = '') {
  let isText = false;
  // The slide number is a text field of the notes.
  let isNumber = false;
  let line = '';
  /** The paragraphs of each cell of a table's row. @type {string[][] | undefined} */
  let row;
  /** @param {string} text */
  const addLine = (text) => {
    if (text === '') return;
    output.add(`${heading}${text}\n`);
    heading = '';
  };
  return {
    isDone: () => output.isFull,
    open: (name, attributes) => {
      if (name === 't') isText = true;
      else if (name === 'tr') row = [];
      else if (name === 'tc') row?.push([]);
      else if (name === 'fld') isNumber = attributes.type === 'slidenum';
      else if (name === 'br') line += row ? ' ' : '\n';
    },
    text: (text) => {
      if (isText && !isNumber) line += text;
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'fld') isNumber = false;
      else if (name === 'p') {
        const cell = row?.at(-1);
        if (!cell) addLine(line);
        else if (line.trim() !== '') cell.push(line.trim());
        line = '';
      } else if (name === 'tr') {
        addLine(row?.map((cell) => cell.join(' ')).join(' | ') ?? '');
        row = undefined;
      }
    },
  };
}
