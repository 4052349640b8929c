import { GatewayError } from '@parley/protos/errors';

/** Limit of a job's input, in characters. */
export const MAX_JOB_CHARACTERS = 10_000;
/** What may be spoken at once. */
export const MAX_SPEAK_CHARACTERS = 4_096;

/** Counts code points. */
export function countCharacters(input: string): number {
  return [...input].length;
}

/** The text without the space around it. @throws VALIDATION_ERROR when there is none, or too much */
export function checkInput(input: string, limit: number, hint = ''): string {
  const text = input.trim();
  if (text === '') throw new GatewayError('VALIDATION_ERROR', 'input is empty', { param: 'input' });
  if (countCharacters(text) > limit)
    throw new GatewayError('VALIDATION_ERROR', `input has more than ${limit} characters${hint}`, { param: 'input' });
  return text;
}
