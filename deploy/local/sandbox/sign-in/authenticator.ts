import { type Account } from '../options.ts';
import { type Sandbox } from '../sandbox.ts';
import { endOf, stepAt, totpCode, totpSecret } from './totp.ts';

/** Returns the next unused code of an account's authenticator app, and when it expires. */
export function nextAppCode({ challenges }: Pick<Sandbox, 'challenges'>, account: Account): { code: string; expiresAt: Date } {
  const step = Math.max(stepAt(Date.now()), challenges.usedStep(account.id) + 1);
  return { code: totpCode(totpSecret(account), step), expiresAt: new Date(endOf(step)) };
}
