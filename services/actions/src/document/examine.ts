import { type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';
import { follow } from '../expressions/json-pointer.ts';
import { type ArazzoDocument } from './arazzo.ts';
import { compileWorkflow } from './compile-workflow.ts';
import { unwieldy } from './shape.ts';
import { type Finding, Spot } from './spot.ts';
import { structureFindings } from './structure.ts';

/** Largest document, and all its sources together, in bytes. */
const MAX_DOCUMENT = 1_048_576;
const MAX_SOURCES = 8 * MAX_DOCUMENT;
/** No more findings than this are told. */
const MAX_FINDINGS = 100;

/** A document as it was sent: JSON texts. */
export interface SentDocument {
  document: string;
  sources: Readonly<Record<string, string>>;
}

/** What came of looking at a document. */
export interface Examination {
  /** Empty when the document does not say it. */
  slug: string;
  findings: readonly Finding[];
  /** There is one when nothing was found. */
  published: { workflow: Workflow; document: JsonValue; sources: Readonly<Record<string, JsonValue>> } | undefined;
}

/** Checks a document by the official schema of Arazzo 1.0 and by our rules, and compiles it. Never throws. */
export function examine({ document: text, sources: texts }: SentDocument): Examination {
  const findings: Finding[] = [];
  const spot = new Spot(findings);
  const document = read(text, MAX_DOCUMENT, 'The document', spot);
  const sources = readSources(texts, spot);
  if (document === undefined) return { slug: '', findings, published: undefined };
  const wrong = unwieldy(document);
  if (wrong !== undefined) spot.say(wrong);
  else findings.push(...structureFindings(document));
  const slug = follow(document, '/x-parley-slug');
  const workflow = findings.length === 0 ? compileWorkflow(document as unknown as ArazzoDocument, sources, spot) : undefined;
  const published = workflow && findings.length === 0 ? { workflow, document, sources } : undefined;
  return { slug: typeof slug === 'string' ? slug : '', findings: unique(findings), published };
}

function readSources(texts: Readonly<Record<string, string>>, spot: Spot): Readonly<Record<string, JsonValue>> {
  const entries = Object.entries(texts);
  if (entries.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0) > MAX_SOURCES) {
    spot.say(`The OpenAPI documents have more than ${MAX_SOURCES / MAX_DOCUMENT} MiB together.`);
    return {};
  }
  const documents = entries.map(([name, text]) => [name, read(text, MAX_SOURCES, `The OpenAPI document '${name}'`, spot)] as const);
  return Object.fromEntries(documents.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function read(text: string, maxBytes: number, what: string, spot: Spot): JsonValue | undefined {
  if (Buffer.byteLength(text) > maxBytes) {
    spot.say(`${what} has more than ${maxBytes / MAX_DOCUMENT} MiB.`);
    return undefined;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    spot.say(`${what} is not JSON.`);
    return undefined;
  }
}

/** Shared actions and parameters are looked at once for every step that has them. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map(findings.map((finding) => [`${finding.path}\n${finding.message}`, finding]));
  return [...seen.values()].slice(0, MAX_FINDINGS);
}
