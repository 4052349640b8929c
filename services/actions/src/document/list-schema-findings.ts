import { readFileSync } from 'node:fs';
import { type JsonValue } from '../domain/json.ts';
import { escapeToken } from '../expressions/json-pointer.ts';
import { type Finding } from './finding-reporter.ts';
import { compileSchema, type ErrorObject } from './json-schema.ts';

/** The official schema of Arazzo 1.0, found from `src` and `dist` alike. */
const OFFICIAL = new URL('../../schemas/arazzo-1.0.json', import.meta.url);

/** Keywords whose errors only report that something below them is wrong. */
const COMPOUND = new Set(['allOf', 'anyOf', 'oneOf', 'if', '$ref', '$dynamicRef']);

/** Maximum number of errors that are processed; one mistake rarely causes more than a few. */
const MAX_ERRORS = 1_000;
const STEP = /^\/workflows\/\d+\/steps\/\d+$/;
/** Positions where the schema has a choice, with the fields that only one of its branches requires. */
const CHOICES: readonly [RegExp, readonly string[]][] = [
  [STEP, ['operationId', 'operationPath', 'workflowId']],
  [/\/(?:onSuccess|onFailure|successActions|failureActions)\/\d+$/, ['reference', 'stepId', 'workflowId']],
  [/\/parameters\/\d+$/, ['reference']],
];

let validate: ReturnType<typeof compileSchema> | undefined;

/** Validates a document by the official schema of Arazzo 1.0 and returns its findings. */
export function listSchemaFindings(document: JsonValue): readonly Finding[] {
  validate ??= compileSchema(JSON.parse(readFileSync(OFFICIAL, 'utf8')) as object, { allErrors: true });
  if (validate(document)) return [];
  const errors = (validate.errors ?? []).slice(0, MAX_ERRORS);
  const telling = errors.filter((error, _index, all) => !isNoise(error, all));
  const findings = (telling.length > 0 ? telling : errors).map(toFinding);
  return findings.filter(
    ({ path, message }, index) => findings.findIndex((other) => other.path === path && other.message === message) === index,
  );
}

/**
 * When no branch of a choice matches, the errors of unintended branches are dropped, and so is the error of the choice itself when a branch
 * has a better one.
 */
function isNoise(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  const { keyword, instancePath } = error;
  const says = (other: ErrorObject): boolean => other.instancePath.startsWith(instancePath) && !COMPOUND.has(other.keyword);
  if (isChoice(error)) return true;
  if (keyword === 'oneOf' && STEP.test(instancePath)) return false;
  // Where a branch does not match, the fields that it would have evaluated count as unknown.
  if (keyword === 'unevaluatedProperties') return all.some((other) => says(other) && other.keyword !== keyword && !isChoice(other));
  return COMPOUND.has(keyword) && all.some((other) => says(other) && !isChoice(other));
}

function isChoice({ keyword, instancePath, params }: ErrorObject): boolean {
  const missing = String(params.missingProperty);
  return keyword === 'required' && CHOICES.some(([place, fields]) => place.test(instancePath) && fields.includes(missing));
}

function toFinding({ keyword, instancePath, params, message = 'is not valid' }: ErrorObject): Finding {
  if (keyword === 'required') return { path: instancePath, message: `'${String(params.missingProperty)}' is missing here.` };
  if (keyword === 'unevaluatedProperties' || keyword === 'additionalProperties') {
    const name = String(params.unevaluatedProperty ?? params.additionalProperty);
    return {
      path: `${instancePath}/${escapeToken(name)}`,
      message: `Arazzo has no field '${name}' here; fields of others begin with 'x-'.`,
    };
  }
  if (keyword === 'enum') return { path: instancePath, message: `It must be one of ${(params.allowedValues as unknown[]).join(', ')}.` };
  if (keyword === 'oneOf' && STEP.test(instancePath))
    return { path: instancePath, message: "A step says exactly one of 'operationId', 'operationPath' and 'workflowId'." };
  return { path: instancePath, message: `It ${message}.` };
}
