import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { BUILT_INS, type Operation } from '../domain/workflow.ts';
import { asText } from '../expressions/fill.ts';
import { follow } from '../expressions/json-pointer.ts';
import { type ArazzoSource } from './arazzo.ts';
import { type Spot } from './spot.ts';

/** The source description of what the gateway does itself. */
const PARLEY = { name: 'parley', url: 'parley:functions' };
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** An operation that steps may call. */
export interface KnownOperation {
  source: string;
  id: string;
  operation: Operation;
  /** Parameters that a call must have. */
  required: readonly { name: string; in: string }[];
}

/** The operations of every source description of a document. */
export function operationsOf(
  descriptions: readonly ArazzoSource[],
  documents: Readonly<Record<string, JsonValue>>,
  spot: Spot,
): readonly KnownOperation[] {
  const names = new Set<string>();
  return descriptions.flatMap((description, index) => {
    const here = spot.at(index);
    if (names.has(description.name)) here.at('name').say(`There is another source description '${description.name}'.`);
    names.add(description.name);
    return isParley(description, here) ? builtIns() : describedBy(description, documents, here);
  });
}

function isParley({ name, url }: ArazzoSource, spot: Spot): boolean {
  if (name !== PARLEY.name && url !== PARLEY.url) return false;
  if (name !== PARLEY.name) spot.at('name').say(`The source description with the url '${PARLEY.url}' is called '${PARLEY.name}'.`);
  if (url !== PARLEY.url) spot.at('url').say(`The url of the source description '${PARLEY.name}' is '${PARLEY.url}'.`);
  return true;
}

function builtIns(): readonly KnownOperation[] {
  return BUILT_INS.map((name) => ({ source: PARLEY.name, id: name, operation: { kind: 'parley', name }, required: [] }));
}

function describedBy({ name, type }: ArazzoSource, documents: Readonly<Record<string, JsonValue>>, spot: Spot): readonly KnownOperation[] {
  if (type === 'arazzo') {
    spot.at('type').say('Source descriptions of actions are OpenAPI documents; workflows of other documents cannot be called.');
    return [];
  }
  const document = Object.hasOwn(documents, name) ? documents[name] : undefined;
  if (document === undefined) {
    spot.say(`The OpenAPI document of the source description '${name}' was not given.`);
    return [];
  }
  const version = follow(document, '/openapi');
  if (typeof version !== 'string' || !version.startsWith('3.')) {
    spot.say(`What was given for the source description '${name}' is not an OpenAPI 3 document.`);
    return [];
  }
  return [...operationsIn(name, document, spot)];
}

function* operationsIn(source: string, document: JsonValue, spot: Spot): Generator<KnownOperation> {
  for (const [path, item] of Object.entries(asObject(follow(document, '/paths')))) {
    for (const method of METHODS) {
      const described = follow(item, `/${method}`);
      const id = described === undefined ? undefined : follow(described, '/operationId');
      if (described === undefined || typeof id !== 'string') continue;
      const server = serverOf([described, item, document]);
      if (server === undefined) {
        spot.say(`The operation '${id}' has no server with an absolute http or https URL without credentials, query or fragment.`);
        continue;
      }
      const required = [...parametersOf(document, item), ...parametersOf(document, described)];
      yield { source, id, operation: { kind: 'http', method: method.toUpperCase(), url: `${server}${path}` }, required };
    }
  }
}

/** The first server of the innermost that has any, without a slash at its end. */
function serverOf(levels: readonly JsonValue[]): string | undefined {
  for (const level of levels) {
    const server = follow(level, '/servers/0');
    const url = server === undefined ? undefined : follow(server, '/url');
    if (server === undefined || typeof url !== 'string') continue;
    const variables = asObject(follow(server, '/variables'));
    return absolute(url.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => asText(follow(variables[name] ?? null, '/default'))));
  }
  return undefined;
}

function absolute(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, search, hash } = new URL(text);
  const plain = username === '' && password === '' && search === '' && hash === '';
  return plain && (protocol === 'http:' || protocol === 'https:') ? text.replace(/\/+$/, '') : undefined;
}

function* parametersOf(document: JsonValue, level: JsonValue): Generator<{ name: string; in: string }> {
  const list = follow(level, '/parameters');
  for (const entry of Array.isArray(list) ? (list as readonly JsonValue[]) : []) {
    const reference = follow(entry, '/$ref');
    const parameter = typeof reference === 'string' && reference.startsWith('#/') ? follow(document, reference.slice(1)) : entry;
    const [name, location, required] = ['/name', '/in', '/required'].map((pointer) => follow(parameter ?? null, pointer));
    if (typeof name === 'string' && typeof location === 'string' && required === true) yield { name, in: location };
  }
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
