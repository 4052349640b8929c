import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** How long a ticket is valid, in milliseconds. */
export const TICKET_LIFETIME_MS = 30_000;

/**
 * Signs and verifies download tickets. A ticket is `<expiry>.<signature>`: Unix milliseconds, and an HMAC-SHA256 over the id of the file
 * and the expiry.
 */
export class DownloadTicketSigner {
  readonly #keys: readonly Buffer[];

  /**
   * The first secret signs, all of them verify, so that secrets can be rotated while several replicas run. A ticket for one purpose
   * is not valid for another.
   */
  constructor(secrets: readonly Buffer[], purpose: string) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  }

  /** Returns a ticket for one file. `now` is in Unix milliseconds. */
  sign(fileId: string, now: number): string {
    const end = String(now + TICKET_LIFETIME_MS);
    const [key] = this.#keys;
    if (!key) throw new TypeError('no secret to sign tickets with');
    return `${end}.${computeHmac(key, fileId, end).toString('base64url')}`;
  }

  /** Whether a ticket was signed for this file and has not expired. */
  verify(fileId: string, ticket: string, now: number): boolean {
    const [, end, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(ticket) ?? [];
    if (end === undefined || signature === undefined) return false;
    const given = Buffer.from(signature, 'base64url');
    const isOurs = this.#keys.some((key) => timingSafeEqual(computeHmac(key, fileId, end), given));
    return isOurs && now < Number(end);
  }
}

function computeHmac(key: Buffer, fileId: string, end: string): Buffer {
  return createHmac('sha256', key).update(`${fileId}\n${end}`).digest();
}
