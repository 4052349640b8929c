import { randomInt } from 'node:crypto';

/** An e-mail with a code. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly code: string;
  readonly challenge: string;
  readonly sentAt: Date;
}

/** Maximum number of mails of an account. */
const MAX_MAILS = 20;

/** Returns the e-mail address of an account. */
function addressOf(account: string): string {
  return `${encodeURIComponent(account)}@sandbox.test`;
}

/** Returns the masked e-mail address of an account, for clients that are not signed in. */
export function toMaskedAddress(account: string): string {
  return `${addressOf(account).slice(0, 1)}…@sandbox.test`;
}

/** Mails sent to accounts, newest first. In memory only. */
export class Mailboxes {
  private readonly mails = new Map<string, Mail[]>();

  listByAccount(account: string): readonly Mail[] {
    return this.mails.get(account) ?? [];
  }

  /** Sends a new code of six digits, and returns it. */
  sendCode(account: string, challenge: string, subject: string): string {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const mail = { to: addressOf(account), subject, code, challenge, sentAt: new Date() };
    this.mails.set(account, [mail, ...this.listByAccount(account)].slice(0, MAX_MAILS));
    return code;
  }
}
