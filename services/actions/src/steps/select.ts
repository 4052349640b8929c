import { findByPath } from '../expressions/json-path.ts';
import { objectPayload, textField } from './payload.ts';
import { invalidStep } from './step-failures.ts';
import { type StepExecutor } from './step-executor.ts';

/**
 * Returns the executor of `select`: the values that a JSONPath (RFC 9535) selects. Payload: `from` and `path`. Body: `values`, `value` (the
 * first, or null) and `count`.
 */
export function selectExecutor(): StepExecutor {
  return {
    execute: async ({ payload }) => {
      const given = objectPayload(payload);
      const values = find(textField(given, 'path'), given['from'] ?? null);
      return { statusCode: 200, headers: {}, body: { values, value: values[0] ?? null, count: values.length } };
    },
  };
}

function find(...[path, from]: Parameters<typeof findByPath>): ReturnType<typeof findByPath> {
  try {
    return findByPath(path, from);
  } catch (error) {
    throw invalidStep(`path of the step's payload: ${(error as Error).message}`);
  }
}
