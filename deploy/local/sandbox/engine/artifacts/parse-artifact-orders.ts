import { MAX_ARTIFACT_BYTES, type Recipe } from './recipe.ts';

/** Maximum number of artifacts that one message may order. */
const MOST = 8;
const MAX_PROMPT_CHARS = 2_000;

const POLITE = '(?:(?:please|now|also|then|can you|could you|would you|will you|i want you to)[\\s,]+)*';
const VERB = '(?:draw|paint|sketch|make|create|write|generate|produce|give me)\\b';
const CLAUSES = new RegExp(`(?:[\\s,;.]+(?:and|then|also))+\\s+(?=${POLITE}${VERB})|[;.]\\s+(?=${POLITE}${VERB})`, 'i');
const ORDER = new RegExp(`^${POLITE}(draw|paint|sketch|make|create|write|generate|produce|give me)\\s+(?:me\\s+)?(\\S.*)$`, 'is');

const PICTURE = /\b(?:picture|image|png|drawing|photo|illustration)\b/i;
const TABLE = /\b(?:csv|table|spreadsheet)\b/i;
const DOCX = /\bdocx\b|\bword\s+(?:document|file|doc)\b/i;
const PDF = /\bpdf\b/i;
const SIZE = /\b(\d{1,9})\s*(kb|mb|bytes?)\b/i;
const UNITS: Readonly<Record<string, number>> = { kb: 1_000, mb: 1_000_000 };

const TOPIC = /\b(?:about|of|on|with|listing|showing|for|titled|called)\s+(.+)$/is;

function topicOf(rest: string): string {
  const topic = TOPIC.exec(rest)?.[1] ?? rest.replace(/\b(?:picture|image|png|csv|table|pdf|docx|word|document|file|report)\b/gi, ' ');
  return topic
    .replace(/\s+/g, ' ')
    .replace(/^(?:\s*(?:an?|the|some|my)\s+)+/i, '')
    .replace(/[\s.!?,]+$/, '')
    .trim()
    .slice(0, 100);
}

function fillerOf(rest: string): Recipe | undefined {
  const [, number = '', unit = ''] = SIZE.exec(rest) ?? [];
  if (number === '' || !/\bfile\b/i.test(rest)) return undefined;
  const bytes = Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
  return { make: 'filler', topic: `file ${number} ${unit.toLowerCase()}`, bytes: Math.min(Math.max(bytes, 1), MAX_ARTIFACT_BYTES) };
}

function recipeOf(clause: string): Recipe | undefined {
  const [, verb = '', rest = ''] = ORDER.exec(clause) ?? [];
  if (rest === '') return undefined;
  const topic = topicOf(rest);
  if (PDF.test(rest)) {
    const pages = Number(/\b(\d{1,2})[\s-]pages?\b/i.exec(rest)?.[1] ?? 1);
    return { make: 'pdf', topic, pages: Math.min(Math.max(pages, 1), 20) };
  }
  if (DOCX.test(rest)) return { make: 'docx', topic };
  if (/^(?:draw|paint|sketch)$/i.test(verb)) return { make: 'picture', topic: topicOf(rest.replace(/^.*?\b(?:picture|image) of\b/i, '')) };
  // A table of pictures is a table, a picture of a table is a picture.
  const [picture, table] = [rest.search(PICTURE), rest.search(TABLE)];
  if (table >= 0 && (picture < 0 || table < picture)) return { make: 'table', topic };
  if (picture >= 0) return { make: 'picture', topic };
  return fillerOf(rest);
}

/** Returns the artifacts that a message orders ("draw a red circle and make a CSV of the planets"), in order; empty for other messages. */
export function parseArtifactOrders(content: string): Recipe[] {
  return content
    .trim()
    .slice(0, MAX_PROMPT_CHARS)
    .split(CLAUSES)
    .flatMap((clause) => recipeOf(clause.trim()) ?? [])
    .slice(0, MOST);
}
