import { queryJsonPath } from '../expressions/json-path.ts';
import { requireObjectPayload, requireTextField } from './payload.ts';
import { invalidStepError } from './step-errors.ts';
import { type StepExecutor } from './step-executor.ts';

/**
 * Returns the executor of `select`: the values that a JSONPath (RFC 9535) selects. Payload: `from` and `path`. Body: `values`, `value` (the
 * first, or null) and `count`.
 */
export function selectExecutor(): StepExecutor {
  return {
    execute: async ({ payload }) => {
      const given = requireObjectPayload(payload);
      const values = find(requireTextField(given, 'path'), given['from'] ?? null);
      return { statusCode: 200, headers: {}, body: { values, value: values[0] ?? null, count: values.length } };
    },
  };
}

function find(...[path, from]: Parameters<typeof queryJsonPath>): ReturnType<typeof queryJsonPath> {
  try {
    return queryJsonPath(path, from);
  } catch (error) {
    throw invalidStepError(`path of the step's payload: ${(error as Error).message}`);
  }
}
