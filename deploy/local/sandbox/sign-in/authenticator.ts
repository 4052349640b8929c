import { type Account } from '../options.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { getTimeStepEnd, toTimeStep, computeTotpCode, deriveTotpSecret } from './totp.ts';

/** Returns the next unused code of an account's authenticator app, and when it expires. */
export function getNextAppCode({ challenges }: Pick<SandboxContext, 'challenges'>, account: Account): { code: string; expiresAt: Date } {
  const step = Math.max(toTimeStep(Date.now()), challenges.getLastUsedStep(account.id) + 1);
  return { code: computeTotpCode(deriveTotpSecret(account), step), expiresAt: new Date(getTimeStepEnd(step)) };
}
