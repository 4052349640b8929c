import { objectPayload, textField } from './payload.ts';
import { type StepExecutor } from './step-executor.ts';

/** A text with its expressions filled in, which they are by now. Payload: `text`. Body: `text`. */
export function renderExecutor(): StepExecutor {
  return { execute: async ({ payload }) => ({ statusCode: 200, headers: {}, body: { text: textField(objectPayload(payload), 'text') } }) };
}
