import { requireObjectPayload, requireTextField } from './payload.ts';
import { type StepExecutor } from './step-executor.ts';

/** Returns the executor of `render`: a text whose expressions are already resolved. Payload: `text`. Body: `text`. */
export function renderExecutor(): StepExecutor {
  return {
    execute: async ({ payload }) => ({
      statusCode: 200,
      headers: {},
      body: { text: requireTextField(requireObjectPayload(payload), 'text') },
    }),
  };
}
