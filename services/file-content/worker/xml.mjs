import { Parser } from 'htmlparser2';
import { posix } from 'node:path';
import { TextDecoder } from 'node:util';

/** Names of parts are shorter; joining a path takes quadratic time. */
const MAX_TARGET = 1_024;
const LESS_THAN = 0x3c;

/** @typedef {Record<string, string>} Attributes */
/**
 * @typedef {object} Visitor
 * @property {(name: string, attributes: Attributes) => void} [open]
 * @property {(text: string) => void} [text]
 * @property {(name: string) => void} [close]
 * @property {() => boolean} [isDone] true when the rest need not be walked
 */

/**
 * Walks an XML part of an archive, names without their prefixes. Only the entities of XML are decoded; those that a document declares are not expanded.
 * The parser takes time quadratic in depth only, and depth has a limit (ADR 0042).
 * @param {import('./archive.mjs').Archive} archive
 * @param {import('./archive.mjs').ArchiveEntry} entry
 * @param {Visitor} visitor
 */
export async function walkXml(archive, entry, { open, text, close, isDone }) {
  const { work } = archive;
  let depth = 0;
  let attributes = 0;
  const parser = new Parser(
    {
      onopentagname: () => {
        work.enter(++depth);
        attributes = 0;
      },
      onattribute: () => work.addAttribute(++attributes),
      onopentag: (name, found) => open?.(localName(name), found),
      ontext: (value) => {
        work.addMarkup(1);
        text?.(value);
      },
      onclosetag: (name) => {
        depth--;
        close?.(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  /** @type {TextDecoder | undefined} */
  let decoder;
  for await (const chunk of archive.inflate(entry)) {
    if (isDone?.()) return;
    decoder ??= new TextDecoder(detectEncoding(chunk));
    const piece = decoder.decode(chunk, { stream: true });
    work.addMarkup(countTags(piece));
    parser.write(piece);
  }
  parser.end(decoder?.decode() ?? '');
}

/**
 * Counts tags and comments, also closing tags without an open element: the parser does not report those, but searches all open elements.
 * @param {string} text
 */
function countTags(text) {
  let tags = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === LESS_THAN) tags++;
  return tags;
}

/**
 * An attribute by its name without a prefix; of two, the one with a prefix (`r:id` before `id`).
 * @param {Attributes} attributes
 * @param {string} name
 */
export function attribute(attributes, name) {
  const prefixed = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return attributes[prefixed ?? name];
}

/**
 * The relations of a part: id → its type's last word and the name of the entry it points to.
 * @param {import('./archive.mjs').Archive} archive
 * @param {string} part
 */
export async function readRelations(archive, part) {
  /** @type {Map<string, { type: string, target: string }>} */
  const relations = new Map();
  const folder = posix.dirname(part);
  const entry = archive.entries.get(`${folder}/_rels/${posix.basename(part)}.rels`);
  if (!entry) return relations;
  await walkXml(archive, entry, {
    open: (name, { Id, Type, Target }) => {
      if (name !== 'Relationship' || !Id || !Target || Target.length > MAX_TARGET) return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      relations.set(Id, { type: (Type ?? '').slice((Type ?? '').lastIndexOf('/') + 1), target });
    },
  });
  return relations;
}

/** @param {string} name */
function localName(name) {
  return name.slice(name.indexOf(':') + 1);
}

/** @param {Uint8Array} bytes */
function detectEncoding(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
