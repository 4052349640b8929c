import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@parley/protos/errors';
import { type ClientAddress, toNetwork } from '../middleware/client-address.ts';
import { type Database } from '../store/client.ts';
import { type Writer } from '../store/sessions.ts';
import { countAttempt, type DelayPolicy, forgetAttempts, undoAttempt } from '../store/sign-in-failures.ts';
import { tokenDigest } from './tokens.ts';

const DAY = 86_400_000;
/**
 * Delays for one account: a few mistakes are free; an attacker who knows only the email gets fewer than 300 guesses per day, and cannot
 * lock the person out for longer than the longest delay.
 */
export const ACCOUNT_DELAY: DelayPolicy = { free: 5, firstMs: 1_000, longestMs: 300_000, forgottenMs: DAY };
/** Delays for one network, which many people may share. */
const NETWORK_DELAY: DelayPolicy = { free: 50, firstMs: 1_000, longestMs: 900_000, forgottenMs: DAY };

/**
 * Delays sign-in attempts for one account and from one network after failed ones, with a growing delay. The counts are in the database:
 * edges share them, and they survive a restart.
 */
export class SignInDelay {
  readonly #db: Database;
  readonly #clientAddress: ClientAddress;

  constructor(db: Database, clientAddress: ClientAddress) {
    this.#db = db;
    this.#clientAddress = clientAddress;
  }

  /**
   * Counts an attempt before the credentials are verified; `account` identifies the account, for example by its email.
   * @throws GatewayError SIGN_IN_DELAYED
   */
  async admit(req: IncomingMessage, account: string): Promise<void> {
    const wait =
      (await countAttempt(this.#db, this.#networkKey(req), NETWORK_DELAY)) ??
      (await countAttempt(this.#db, accountKey(account), ACCOUNT_DELAY));
    if (wait !== undefined) throw new GatewayError('SIGN_IN_DELAYED', 'too many failed sign-ins; wait', { retryAfterMs: wait });
  }

  /** Resets the account and removes one attempt of the network; called when an admitted sign-in has succeeded with all its factors. */
  async succeed(tx: Writer, req: IncomingMessage, account: string): Promise<void> {
    await undoAttempt(tx, this.#networkKey(req));
    await forgetAttempts(tx, accountKey(account));
  }

  /** Resets the account; called when its owner was proven by another way than a sign-in. */
  async forget(tx: Writer, account: string): Promise<void> {
    await forgetAttempts(tx, accountKey(account));
  }

  #networkKey(req: IncomingMessage): string {
    return `network:${toNetwork(this.#clientAddress(req))}`;
  }
}

/** The email is stored only as a digest: it may belong to no user. */
function accountKey(account: string): string {
  return `account:${tokenDigest(account)}`;
}
