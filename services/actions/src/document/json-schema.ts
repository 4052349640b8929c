import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilePattern } from '../expressions/pattern.ts';

/** Patterns are applied to client input, so they are compiled as RE2, which runs in linear time. */
const regExp = Object.assign((source: string) => compilePattern(source), { code: 'compilePattern' });

const OPTIONS = { strict: false, logger: false, verbose: true, code: { regExp } } as const;

/** Validates schemas; kept because its compilation takes longer than all the rest. */
let meta: Ajv2020 | undefined;

/** Compiles a JSON Schema 2020-12; fetches nothing. @throws Error for an invalid schema, a reference to another document or a pattern that RE2 does not support */
export function compileSchema(schema: object, { allErrors = false } = {}): ValidateFunction {
  meta ??= new Ajv2020(OPTIONS);
  if (!meta.validateSchema(schema)) throw new Error(meta.errorsText(meta.errors, { dataVar: 'schema' }));
  // Each schema has its own validator, so that ids never collide and nothing is cached.
  const ajv = new Ajv2020({ ...OPTIONS, allErrors, validateSchema: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

export { type ErrorObject };
