import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { type ClientAddressResolver, toNetwork } from '../middleware/client-address.ts';
import { type Database } from '../store/client.ts';
import { type DatabaseOrTransaction } from '../store/sessions.ts';
import { countSignInAttempt, type DelayPolicy, resetSignInAttempts, undoSignInAttempt } from '../store/sign-in-failures.ts';
import { tokenDigest } from './tokens.ts';

const DAY = 86_400_000;
/**
 * Delays for one account: a few mistakes are free; an attacker who knows only the email gets fewer than 300 guesses per day, and cannot
 * lock the person out for longer than the longest delay.
 */
export const ACCOUNT_DELAY_POLICY: DelayPolicy = { freeAttempts: 5, firstMs: 1_000, longestMs: 300_000, resetAfterMs: DAY };
/** Delays for one network, which many people may share. */
const NETWORK_DELAY: DelayPolicy = { freeAttempts: 50, firstMs: 1_000, longestMs: 900_000, resetAfterMs: DAY };

/**
 * Delays sign-in attempts for one account and from one network after failed ones, with a growing delay. The counts are in the database:
 * edges share them, and they survive a restart.
 */
export class SignInDelay {
  readonly #db: Database;
  readonly #clientAddress: ClientAddressResolver;

  constructor(db: Database, clientAddress: ClientAddressResolver) {
    this.#db = db;
    this.#clientAddress = clientAddress;
  }

  /**
   * Counts an attempt before the credentials are verified, or rejects it while the delay lasts; `account` identifies the account, for
   * example by its email.
   * @throws GatewayError SIGN_IN_DELAYED
   */
  async admitAttempt(req: IncomingMessage, account: string): Promise<void> {
    const wait =
      (await countSignInAttempt(this.#db, this.#networkKey(req), NETWORK_DELAY)) ??
      (await countSignInAttempt(this.#db, accountKey(account), ACCOUNT_DELAY_POLICY));
    if (wait !== undefined) throw new GatewayError('SIGN_IN_DELAYED', 'too many failed sign-ins; wait', { retryAfterMs: wait });
  }

  /** Resets the account and removes one attempt of the network; called when a sign-in has succeeded with all its factors. */
  async recordSuccess(tx: DatabaseOrTransaction, req: IncomingMessage, account: string): Promise<void> {
    await undoSignInAttempt(tx, this.#networkKey(req));
    await resetSignInAttempts(tx, accountKey(account));
  }

  /** Resets the account; called when its owner was proven by another way than a sign-in. */
  async resetAccount(tx: DatabaseOrTransaction, account: string): Promise<void> {
    await resetSignInAttempts(tx, accountKey(account));
  }

  #networkKey(req: IncomingMessage): string {
    return `network:${toNetwork(this.#clientAddress(req))}`;
  }
}

/** The email is stored only as a digest: it may belong to no user. */
function accountKey(account: string): string {
  return `account:${tokenDigest(account)}`;
}
