import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { BUILT_IN_FUNCTIONS, type Operation } from '../domain/workflow.ts';
import { resolvePointer } from '../expressions/json-pointer.ts';
import { toTemplateText } from '../expressions/resolve-expressions.ts';
import { type ArazzoSource } from './arazzo.ts';
import { type FindingReporter } from './finding-reporter.ts';

/** The source description of the built-in functions. */
const PARLEY = { name: 'parley', url: 'parley:functions' };
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** An operation that steps may call. */
export interface CallableOperation {
  source: string;
  id: string;
  operation: Operation;
  /** Parameters that a call must have. */
  required: readonly { name: string; in: string }[];
}

/** Returns the operations of all source descriptions of a document; reports findings. */
export function listOperations(
  descriptions: readonly ArazzoSource[],
  documents: Readonly<Record<string, JsonValue>>,
  location: FindingReporter,
): readonly CallableOperation[] {
  const names = new Set<string>();
  return descriptions.flatMap((description, index) => {
    const here = location.at(index);
    if (names.has(description.name)) here.at('name').report(`There is another source description '${description.name}'.`);
    names.add(description.name);
    return isParley(description, here) ? builtIns() : describedBy(description, documents, here);
  });
}

function isParley({ name, url }: ArazzoSource, location: FindingReporter): boolean {
  if (name !== PARLEY.name && url !== PARLEY.url) return false;
  if (name !== PARLEY.name) location.at('name').report(`The source description with the url '${PARLEY.url}' is called '${PARLEY.name}'.`);
  if (url !== PARLEY.url) location.at('url').report(`The url of the source description '${PARLEY.name}' is '${PARLEY.url}'.`);
  return true;
}

function builtIns(): readonly CallableOperation[] {
  return BUILT_IN_FUNCTIONS.map((name) => ({ source: PARLEY.name, id: name, operation: { kind: 'parley', name }, required: [] }));
}

function describedBy(
  { name, type }: ArazzoSource,
  documents: Readonly<Record<string, JsonValue>>,
  location: FindingReporter,
): readonly CallableOperation[] {
  if (type === 'arazzo') {
    location.at('type').report('Source descriptions of actions are OpenAPI documents; workflows of other documents cannot be called.');
    return [];
  }
  const document = Object.hasOwn(documents, name) ? documents[name] : undefined;
  if (document === undefined) {
    location.report(`The OpenAPI document of the source description '${name}' was not given.`);
    return [];
  }
  const version = resolvePointer(document, '/openapi');
  if (typeof version !== 'string' || !version.startsWith('3.')) {
    location.report(`What was given for the source description '${name}' is not an OpenAPI 3 document.`);
    return [];
  }
  return [...operationsIn(name, document, location)];
}

function* operationsIn(source: string, document: JsonValue, location: FindingReporter): Generator<CallableOperation> {
  for (const [path, item] of Object.entries(asObject(resolvePointer(document, '/paths')))) {
    for (const method of METHODS) {
      const described = resolvePointer(item, `/${method}`);
      const id = described === undefined ? undefined : resolvePointer(described, '/operationId');
      if (described === undefined || typeof id !== 'string') continue;
      const server = findServer([described, item, document]);
      if (server === undefined) {
        location.report(`The operation '${id}' has no server with an absolute http or https URL without credentials, query or fragment.`);
        continue;
      }
      const required = [...listParameters(document, item), ...listParameters(document, described)];
      yield { source, id, operation: { kind: 'http', method: method.toUpperCase(), url: `${server}${path}` }, required };
    }
  }
}

/**
 * Returns the URL of the first server of the innermost level that has one, without a trailing slash; undefined when it is missing or not
 * usable.
 */
function findServer(levels: readonly JsonValue[]): string | undefined {
  for (const level of levels) {
    const server = resolvePointer(level, '/servers/0');
    const url = server === undefined ? undefined : resolvePointer(server, '/url');
    if (server === undefined || typeof url !== 'string') continue;
    const variables = asObject(resolvePointer(server, '/variables'));
    return absolute(
      url.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => toTemplateText(resolvePointer(variables[name] ?? null, '/default'))),
    );
  }
  return undefined;
}

function absolute(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const plain = username === '' && password === '' && search === '' && hash === '';
  return plain && (protocol === 'http:' || protocol === 'https:') ? text.replace(/\/+$/, '') : undefined;
}

function* listParameters(document: JsonValue, level: JsonValue): Generator<{ name: string; in: string }> {
  const list = resolvePointer(level, '/parameters');
  for (const entry of Array.isArray(list) ? (list as readonly JsonValue[]) : []) {
    const reference = resolvePointer(entry, '/$ref');
    const parameter = typeof reference === 'string' && reference.startsWith('#/') ? resolvePointer(document, reference.slice(1)) : entry;
    const [name, location, required] = ['/name', '/in', '/required'].map((pointer) => resolvePointer(parameter ?? null, pointer));
    if (typeof name === 'string' && typeof location === 'string' && required === true) yield { name, in: location };
  }
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
