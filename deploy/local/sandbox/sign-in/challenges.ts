import { randomBytes } from 'node:crypto';
import { SandboxError } from '../http/sandbox-error.ts';
import { type Account, type SecondFactor } from '../options.ts';
import { Mailboxes, toMaskedAddress } from './mailboxes.ts';
import { findMatchingTimeStep, deriveTotpSecret } from './totp.ts';

/** The next input that a sign-in requires. */
export type ChallengeStep = 'one_time_code' | 'choose_factor' | 'second_factor';

/** A sign-in in progress. It ends with a session, at the fifth wrong code, or when it expires. */
export interface Challenge {
  readonly id: string;
  readonly account: string;
  readonly expiresAt: number;
  step: ChallengeStep;
  factor: SecondFactor | undefined;
  tries: number;
  sendsLeft: number;
  mailed: { code: string; expiresAt: number } | undefined;
}

const TTL_MS = 600_000;
const CODE_TTL_MS = 300_000;
const MAX_TRIES = 5;
const MAX_SENDS = 4;
/** Maximum number of concurrent sign-ins of an account; the oldest is dropped. */
const MAX_OF_ACCOUNT = 20;

const SUBJECTS = { one_time_code: 'Your sign-in code', second_factor: 'Your second code' } as const;

/** Sign-ins in progress, in memory only: a restart of the server ends them. */
export class Challenges {
  readonly mailboxes = new Mailboxes();
  private readonly open = new Map<string, Challenge>();
  /** Time step of the last used code of the authenticator app, by account. */
  private readonly usedSteps = new Map<string, number>();

  /** Starts a sign-in after the password was verified. */
  begin(account: Account): Challenge {
    const own = [...this.open.values()].filter((challenge) => challenge.account === account.id);
    for (const oldest of own.slice(0, Math.max(0, own.length - MAX_OF_ACCOUNT + 1))) this.open.delete(oldest.id);
    const challenge: Challenge = {
      id: `sg_${randomBytes(18).toString('base64url')}`,
      account: account.id,
      expiresAt: Date.now() + (account.sign_in?.ttl_ms ?? TTL_MS),
      ...{ step: 'choose_factor', factor: undefined, tries: MAX_TRIES, sendsLeft: MAX_SENDS, mailed: undefined },
    };
    this.open.set(challenge.id, challenge);
    if (account.sign_in?.one_time_code) {
      challenge.step = 'one_time_code';
      this.send(challenge, account);
    }
    return challenge;
  }

  /** Returns a sign-in in progress. @throws SandboxError 404 `challenge_not_found`, 410 `challenge_expired` */
  get(id: string): Challenge {
    const challenge = this.open.get(id);
    if (challenge === undefined) throw new SandboxError(404, 'challenge_not_found', 'there is no such sign-in, or not any more');
    if (challenge.expiresAt > Date.now()) return challenge;
    this.end(id);
    throw new SandboxError(410, 'challenge_expired', 'signing in took too long');
  }

  end(id: string): void {
    this.open.delete(id);
  }

  countByAccount(account: string): number {
    return [...this.open.values()].filter((challenge) => challenge.account === account && challenge.expiresAt > Date.now()).length;
  }

  getLastUsedStep(account: string): number {
    return this.usedSteps.get(account) ?? -1;
  }

  /** Chooses the second factor, or changes it. @throws SandboxError 409 `other_step`, 422 `unknown_factor` */
  chooseFactor(challenge: Challenge, account: Account, factor: SecondFactor): void {
    if (challenge.step === 'one_time_code') throw otherStep();
    if (!account.sign_in?.second_factors.includes(factor)) throw new SandboxError(422, 'unknown_factor', 'the account has no such factor');
    challenge.step = 'second_factor';
    challenge.factor = factor;
    challenge.mailed = undefined;
    if (factor === 'email') this.send(challenge, account);
  }

  /** Sends another code. @throws SandboxError 409 `other_step`, 429 `too_many_codes` */
  resendCode(challenge: Challenge, account: Account): void {
    if (challenge.step === 'choose_factor' || challenge.factor === 'app') throw otherStep();
    this.send(challenge, account);
  }

  /**
   * Verifies a code; returns true when the sign-in is complete.
   * @throws SandboxError 401 `wrong_code`, 401 `code_expired`, 403 `too_many_tries`, 409 `other_step`
   */
  verifyCode(challenge: Challenge, account: Account, code: string): boolean {
    if (challenge.step === 'choose_factor') throw otherStep();
    const fits = challenge.factor === 'app' ? this.takeFromApp(account, code) : challenge.mailed?.code === code;
    if (!fits) throw this.wrong(challenge);
    if (challenge.mailed && challenge.mailed.expiresAt <= Date.now())
      throw new SandboxError(401, 'code_expired', 'the code is too old, ask for another one');
    challenge.mailed = undefined;
    const isDone = challenge.step === 'second_factor' || account.sign_in?.second_factors.length === 0;
    if (!isDone) challenge.step = 'choose_factor';
    return isDone;
  }

  private takeFromApp(account: Account, code: string): boolean {
    const step = findMatchingTimeStep(deriveTotpSecret(account), code, Date.now(), this.getLastUsedStep(account.id));
    if (step !== undefined) this.usedSteps.set(account.id, step);
    return step !== undefined;
  }

  private wrong(challenge: Challenge): SandboxError {
    if (--challenge.tries > 0) return new SandboxError(401, 'wrong_code', `the code is wrong, ${challenge.tries} tries are left`);
    this.end(challenge.id);
    return new SandboxError(403, 'too_many_tries', 'too many wrong codes');
  }

  private send(challenge: Challenge, account: Account): void {
    if (challenge.sendsLeft === 0)
      throw new SandboxError(429, 'too_many_codes', 'no more codes are sent for this sign-in', { 'Retry-After': '60' });
    challenge.sendsLeft--;
    const subject = challenge.step === 'one_time_code' ? SUBJECTS.one_time_code : SUBJECTS.second_factor;
    const code = this.mailboxes.sendCode(account.id, challenge.id, subject);
    challenge.mailed = { code, expiresAt: Date.now() + (account.sign_in?.code_ttl_ms ?? CODE_TTL_MS) };
  }
}

function otherStep(): SandboxError {
  return new SandboxError(409, 'other_step', 'this sign-in is at another step');
}

/** Whether an account requires more than its password. */
export function requiresChallenge({ sign_in: asked }: Account): boolean {
  return asked !== undefined && (asked.one_time_code || asked.second_factors.length > 0);
}

/** Converts a challenge to the form of the web API. */
export function toChallengeView({ id, step, factor, tries, sendsLeft, expiresAt, mailed }: Challenge, account: Account): object {
  return {
    ...{ id, step, tries_left: tries, sends_left: sendsLeft, expires_at: new Date(expiresAt).toISOString() },
    ...(step !== 'one_time_code' && { factors: account.sign_in?.second_factors ?? [] }),
    ...(factor && { factor }),
    ...(mailed && { sent_to: toMaskedAddress(account.id) }),
  };
}
