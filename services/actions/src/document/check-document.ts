import { type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';
import { resolvePointer } from '../expressions/json-pointer.ts';
import { type ArazzoDocument } from './arazzo.ts';
import { compileWorkflow } from './compile-workflow.ts';
import { findExceededLimit } from './document-limits.ts';
import { type Finding, FindingReporter } from './finding-reporter.ts';
import { listSchemaFindings } from './list-schema-findings.ts';

/** Maximum size in bytes of a document, and of all its sources together. */
const MAX_DOCUMENT = 1_048_576;
const MAX_SOURCES = 8 * MAX_DOCUMENT;
/** The maximum number of findings. */
const MAX_FINDINGS = 100;

/** A document and its OpenAPI sources as they were submitted: JSON texts. */
export interface SubmittedDocument {
  document: string;
  sources: Readonly<Record<string, string>>;
}

/** The result of `checkDocument`. */
export interface DocumentCheckResult {
  /** `x-parley-slug` of the document; empty when it is missing. */
  slug: string;
  findings: readonly Finding[];
  /** The compiled document; defined if there are no findings. */
  compilation: { workflow: Workflow; document: JsonValue; sources: Readonly<Record<string, JsonValue>> } | undefined;
}

/** Checks a document by the official schema of Arazzo 1.0 and by the gateway's rules, and compiles it. Never throws. */
export function checkDocument({ document: text, sources: texts }: SubmittedDocument): DocumentCheckResult {
  const findings: Finding[] = [];
  const location = new FindingReporter(findings);
  const document = read(text, MAX_DOCUMENT, 'The document', location);
  const sources = readSources(texts, location);
  if (document === undefined) return { slug: '', findings, compilation: undefined };
  const wrong = findExceededLimit(document);
  if (wrong !== undefined) location.report(wrong);
  else findings.push(...listSchemaFindings(document));
  const slug = resolvePointer(document, '/x-parley-slug');
  const workflow = findings.length === 0 ? compileWorkflow(document as unknown as ArazzoDocument, sources, location) : undefined;
  const compilation = workflow && findings.length === 0 ? { workflow, document, sources } : undefined;
  return { slug: typeof slug === 'string' ? slug : '', findings: unique(findings), compilation };
}

function readSources(texts: Readonly<Record<string, string>>, location: FindingReporter): Readonly<Record<string, JsonValue>> {
  const entries = Object.entries(texts);
  if (entries.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0) > MAX_SOURCES) {
    location.report(`The OpenAPI documents have more than ${MAX_SOURCES / MAX_DOCUMENT} MiB together.`);
    return {};
  }
  const documents = entries.map(([name, text]) => [name, read(text, MAX_SOURCES, `The OpenAPI document '${name}'`, location)] as const);
  return Object.fromEntries(documents.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function read(text: string, maxBytes: number, what: string, location: FindingReporter): JsonValue | undefined {
  if (Buffer.byteLength(text) > maxBytes) {
    location.report(`${what} has more than ${maxBytes / MAX_DOCUMENT} MiB.`);
    return undefined;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    location.report(`${what} is not JSON.`);
    return undefined;
  }
}

/** Removes duplicates: shared actions and parameters are checked once for every step that uses them. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map(findings.map((finding) => [`${finding.path}\n${finding.message}`, finding]));
  return [...seen.values()].slice(0, MAX_FINDINGS);
}
