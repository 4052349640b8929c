import { type Account } from '../options.ts';
import { type Sandbox } from '../sandbox.ts';
import { endOf, stepAt, totpCode, totpSecret } from './totp.ts';

/** The next code of an account's authenticator app that was not used yet, and when it is over. */
export function nextAppCode({ challenges }: Pick<Sandbox, 'challenges'>, account: Account): { code: string; expiresAt: Date } {
  const step = Math.max(stepAt(Date.now()), challenges.usedStep(account.id) + 1);
  return { code: totpCode(totpSecret(account), step), expiresAt: new Date(endOf(step)) };
}
