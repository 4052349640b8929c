import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@parley/protos/errors';
import { type ClientAddress, toNetwork } from '../middleware/client-address.ts';
import { type Database } from '../store/client.ts';
import { type Writer } from '../store/sessions.ts';
import { countAttempt, type DelayPolicy, forgetAttempts, undoAttempt } from '../store/sign-in-failures.ts';
import { tokenDigest } from './tokens.ts';

const DAY = 86_400_000;
/** A person may mistype; who knows only the email gets less than 300 guesses in a day, and cannot lock the person out for longer than the longest delay. */
export const ACCOUNT_DELAY: DelayPolicy = { free: 5, firstMs: 1_000, longestMs: 300_000, forgottenMs: DAY };
/** Many people share an address. */
const NETWORK_DELAY: DelayPolicy = { free: 50, firstMs: 1_000, longestMs: 900_000, forgottenMs: DAY };

/** Slows down guesses of one account and from one network, with a delay that grows. The counts are in the database: edges share them and a restart keeps them. */
export class SignInDelay {
  readonly #db: Database;
  readonly #clientAddress: ClientAddress;

  constructor(db: Database, clientAddress: ClientAddress) {
    this.#db = db;
    this.#clientAddress = clientAddress;
  }

  /** Counts an attempt before anything is verified; an account is whatever names one, such as an email. @throws GatewayError SIGN_IN_DELAYED */
  async admit(req: IncomingMessage, account: string): Promise<void> {
    const wait =
      (await countAttempt(this.#db, this.#networkKey(req), NETWORK_DELAY)) ??
      (await countAttempt(this.#db, accountKey(account), ACCOUNT_DELAY));
    if (wait !== undefined) throw new GatewayError('SIGN_IN_DELAYED', 'too many failed sign-ins; wait', { retryAfterMs: wait });
  }

  /** What was admitted has succeeded, with every factor that is needed: the account starts anew, and the network has one attempt less. */
  async succeed(tx: Writer, req: IncomingMessage, account: string): Promise<void> {
    await undoAttempt(tx, this.#networkKey(req));
    await forgetAttempts(tx, accountKey(account));
  }

  /** The account starts anew: by another way than a sign-in it was proven whose it is. */
  async forget(tx: Writer, account: string): Promise<void> {
    await forgetAttempts(tx, accountKey(account));
  }

  #networkKey(req: IncomingMessage): string {
    return `network:${toNetwork(this.#clientAddress(req))}`;
  }
}

/** The email itself is not stored: it may belong to no user. */
function accountKey(account: string): string {
  return `account:${tokenDigest(account)}`;
}
