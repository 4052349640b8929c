import { z } from 'zod/mini';
import { asProblem } from '../api/problem.ts';

const MIN = 12;
const MAX = 1000;

/** The schema of a new password; the gateway also rejects the commonest ones. Messages are keys of the texts `invalid.*`. */
export const newPasswordSchema = z.string().check(
  z.refine((text) => [...text.normalize('NFKC')].length >= MIN, 'tooShort'),
  z.refine((text) => [...text].length <= MAX, 'tooLong'),
);

/** Whether the gateway rejected a password that keeps the other rules: it would be guessed. */
export function isGuessablePasswordError(error: unknown, param: 'password' | 'new_password'): boolean {
  const problem = asProblem(error);
  return problem.code === 'VALIDATION_ERROR' && problem.param === param;
}
