import { GatewayError } from '@parley/protos/errors';

/** Maximum length of a job's input, in characters. */
export const MAX_JOB_CHARACTERS = 10_000;
/** Maximum length of the input of synchronous speech, in characters. */
export const MAX_SPEAK_CHARACTERS = 4_096;

/** Returns the number of code points of a text. */
export function countCharacters(input: string): number {
  return [...input].length;
}

/** Returns the trimmed text. @throws VALIDATION_ERROR when it is empty or longer than `limit`; `hint` is appended to the message */
export function requireSpeechInput(input: string, limit: number, hint = ''): string {
  const text = input.trim();
  if (text === '') throw new GatewayError('VALIDATION_ERROR', 'input is empty', { param: 'input' });
  if (countCharacters(text) > limit)
    throw new GatewayError('VALIDATION_ERROR', `input has more than ${limit} characters${hint}`, { param: 'input' });
  return text;
}
