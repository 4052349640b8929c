import { type Parameter } from '../domain/workflow.ts';
import { type ArazzoParameter } from './arazzo.ts';
import { checkValueExpressions, type ExpressionScope } from './check-expressions.ts';
import { type FindingReporter } from './finding-reporter.ts';
import { type CallableOperation } from './list-operations.ts';

const LOCATIONS = ['path', 'query', 'header', 'cookie'] as const;
/** Headers that a document must not set: secrets belong to connections, the others to the transport. */
const RESERVED =
  /^(?:authorization|proxy-.*|cookie|host|connection|keep-alive|content-(?:length|type|encoding)|transfer-encoding|te|trailer|upgrade|expect)$/i;
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Compiles the parameters of a step: its own, and those of the workflow that it does not set itself. Reports findings. */
export function compileParameters(
  own: { list: readonly ArazzoParameter[]; location: FindingReporter },
  shared: { list: readonly ArazzoParameter[]; location: FindingReporter },
  scope: ExpressionScope,
): readonly Parameter[] {
  const mine = own.list.flatMap((parameter, index) => compileParameter(parameter, scope, own.location.at(index)));
  mine.forEach((parameter, index) => {
    if (mine.findIndex(({ name }) => name === parameter.name) < index)
      own.location.at(index).report(`The parameter '${parameter.name}' is set twice.`);
  });
  const theirs = shared.list.flatMap((parameter, index) => compileParameter(parameter, scope, shared.location.at(index)));
  return [...mine, ...theirs.filter(({ name }) => !mine.some((other) => other.name === name))];
}

/** Reports required parameters that are missing, and path parameters that the operation does not have. */
export function checkOperationParameters(
  { id, operation, required }: CallableOperation,
  parameters: readonly Parameter[],
  location: FindingReporter,
): void {
  if (operation.kind === 'parley') {
    if (parameters.length > 0) location.at('parameters').report(`'${id}' has no parameters; its input belongs into 'requestBody.payload'.`);
    return;
  }
  const inPath = [...operation.url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => ({ name, in: 'path' }));
  for (const wanted of [...inPath, ...required.filter((parameter) => parameter.in !== 'path')]) {
    if (!parameters.some((given) => isSame(given, wanted)))
      location.report(`The operation '${id}' needs the ${wanted.in} parameter '${wanted.name}'.`);
  }
  for (const { name, in: kind } of parameters) {
    if (kind === 'path' && !inPath.some((wanted) => wanted.name === name)) {
      location.report(`The path of the operation '${id}' has no parameter '${name}'.`);
    }
  }
}

function compileParameter(
  { reference, name, in: said, value }: ArazzoParameter,
  scope: ExpressionScope,
  location: FindingReporter,
): readonly Parameter[] {
  if (reference !== undefined || name === undefined || value === undefined) {
    location.report("References to 'components' are not supported; write the parameter here.");
    return [];
  }
  const kind = LOCATIONS.find((known) => known === said);
  if (kind === undefined) location.at('in').report("A parameter is in 'path', 'query', 'header' or 'cookie'.");
  if (kind === 'header' && !isSettableHeader(name))
    location.at('name').report(`The header '${name}' is not one that a document can set; secrets belong into a connection.`);
  checkValueExpressions(value, scope, location.at('value'));
  return kind === undefined ? [] : [{ name, in: kind, value }];
}

/** Whether a document may set this header. */
export function isSettableHeader(name: string): boolean {
  return TOKEN.test(name) && !RESERVED.test(name);
}

function isSame(a: { name: string; in: string }, b: { name: string; in: string }): boolean {
  return a.in === b.in && (a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name);
}
