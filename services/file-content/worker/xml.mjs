import { posix } from 'node:path';
import { Parser } from 'htmlparser2';

/** @typedef {Record<string, string>} Attributes */
/** @typedef {{ open?: (name: string, attributes: Attributes) => void, text?: (text: string) => void, close?: (name: string) => void }} Visitor */

/**
 * Walks an XML part of an archive, names without their prefixes. Entities are those of XML: what a document declares itself is not expanded.
 * @param {import('./archive.mjs').Archive} archive
 * @param {import('./archive.mjs').ArchiveEntry} entry
 * @param {Visitor} visitor
 */
export async function walkXml(archive, entry, { open, text, close }) {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(localName(name), attributes),
      ontext: (value) => text?.(value),
      onclosetag: (name) => close?.(localName(name)),
    },
    { xmlMode: true, decodeEntities: true },
  );
  /** @type {TextDecoder | undefined} */
  let decoder;
  for await (const chunk of archive.inflate(entry)) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  parser.end(decoder?.decode() ?? '');
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
export async function relationsOf(archive, part) {
  /** @type {Map<string, { type: string, target: string }>} */
  const relations = new Map();
  const folder = posix.dirname(part);
  const entry = archive.entries.get(`${folder}/_rels/${posix.basename(part)}.rels`);
  if (!entry) return relations;
  await walkXml(archive, entry, {
    open: (name, { Id, Type, Target }) => {
      if (name !== 'Relationship' || !Id || !Target) return;
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
function encodingOf(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
