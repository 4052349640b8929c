import { PARAMETER_SAMPLES } from './details/samples.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Flags of a regular expression, which the generator leaves in the pattern; patterns of JSON Schema have no flags. */
const FLAGS = /\/[a-z]+$/;

/** Completes a generated document: removes flags from patterns and adds examples of parameters. Returns plain JSON. */
export function completeDocument(document: object): Record<string, unknown> {
  return walk(JSON.parse(JSON.stringify(document)) as Json) as Record<string, unknown>;
}

function walk(node: Json): Json {
  if (Array.isArray(node)) return node.map(walk);
  if (typeof node !== 'object' || node === null) return node;
  const walked = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, walk(value)]));
  if (typeof walked['pattern'] === 'string') walked['pattern'] = walked['pattern'].replace(FLAGS, '');
  return withSample(walked);
}

function withSample(node: Record<string, Json>): Record<string, Json> {
  const { name, in: where } = node;
  if (typeof where !== 'string' || typeof name !== 'string' || !('schema' in node)) return node;
  const example = sampleOf(name, node['schema'] ?? null);
  if (example === undefined) return node;
  if (node['required'] === true) return { ...node, example };
  // The interactive view would fill its form with an `example`, and an optional parameter is better left empty; so the example is part of
  // the description.
  const description = typeof node['description'] === 'string' ? `${node['description']} ` : '';
  return { ...node, description: `${description}For instance \`${String(example)}\`.` };
}

/** Returns the example of a parameter; undefined when an enumeration or a default already shows its values. */
function sampleOf(name: string, schema: Json): string | number | boolean | undefined {
  const isClear = typeof schema === 'object' && schema !== null && ('enum' in schema || 'default' in schema);
  return isClear ? undefined : PARAMETER_SAMPLES[name];
}
