import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { NAME_PATTERN } from '../expressions/expression.ts';
import { type FindingReporter } from './finding-reporter.ts';
import { compileSchema } from './json-schema.ts';

/** Schema of a file input: the asset as which the file was uploaded. */
const FILE = { type: 'object', properties: { asset_id: { type: 'string' } }, required: ['asset_id'], additionalProperties: false } as const;
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'];
const NOTHING = { inputs: { type: 'object' }, fileInputs: [] };

/**
 * Returns the schema of a workflow's input, with file inputs replaced by their schema, and the names of the file inputs. Reports findings.
 */
export function compileInputs(
  inputs: JsonValue | undefined,
  location: FindingReporter,
): { inputs: JsonObject; fileInputs: readonly string[] } {
  if (inputs === undefined) return NOTHING;
  if (!isObject(inputs) || inputs.type !== 'object' || '$ref' in inputs) {
    location.report("The schema of the inputs has the type 'object' and is written here, without '$ref'.");
    return NOTHING;
  }
  const properties = isObject(inputs.properties) ? inputs.properties : {};
  const fileInputs: string[] = [];
  const compiled = Object.entries(properties).map(([name, schema]): [string, JsonValue] => {
    const here = location.at('properties', name);
    if (!NAME_PATTERN.test(name)) here.report("Names of inputs hold letters, digits, '-' and '_'.");
    if (!isFile(schema, here)) return [name, schema];
    fileInputs.push(name);
    const { description } = schema as JsonObject;
    return [name, description === undefined ? FILE : { ...FILE, description }];
  });
  const schema = { ...inputs, properties: Object.fromEntries(compiled) };
  try {
    compileSchema(schema);
  } catch (error) {
    location.report(`The schema of the inputs cannot be used: ${(error as Error).message}.`);
  }
  return { inputs: schema, fileInputs };
}

/** Whether an input is a file; reports an input that is not a file and has no known type. */
function isFile(schema: JsonValue, location: FindingReporter): boolean {
  if (!isObject(schema)) {
    location.report("An input says its 'type'.");
    return false;
  }
  const said = schema['x-parley-asset'];
  if (said !== undefined && typeof said !== 'boolean') location.at('x-parley-asset').report('It must be true or false.');
  if (said === true) return true;
  const types = [schema.type].flat();
  if (!types.some((type) => typeof type === 'string' && TYPES.includes(type)))
    location.report("An input says its 'type', or is a file ('x-parley-asset': true).");
  return false;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
