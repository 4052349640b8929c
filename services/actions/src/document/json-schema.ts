import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compilePattern } from '../expressions/pattern.ts';

/** Patterns meet what clients send, so they are those that cannot be made slow. */
const regExp = Object.assign((source: string) => compilePattern(source), { code: 'compilePattern' });

const OPTIONS = { strict: false, logger: false, verbose: true, code: { regExp } } as const;

/** Knows what a schema has to look like; learning that takes longer than all the rest. */
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
