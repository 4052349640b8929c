import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** How long a ticket is good. */
export const TICKET_MS = 30_000;

/** Issues and checks tickets for downloads: an end of validity and an HMAC-SHA256 over it and the id of the file. */
export class SignedUrlSigner {
  readonly #keys: readonly Buffer[];

  /**
   * The first secret signs, all of them verify: rings of two replicas may differ while one is being changed. What is issued for one purpose
   * is no good for another.
   */
  constructor(ring: readonly Buffer[], purpose: string) {
    this.#keys = ring.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  }

  /** A ticket for one file. `now` in Unix milliseconds. */
  issue(fileId: string, now: number): string {
    const end = String(now + TICKET_MS);
    const [key] = this.#keys;
    if (!key) throw new TypeError('no key to sign tickets with');
    return `${end}.${sign(key, fileId, end).toString('base64url')}`;
  }

  /** True for a ticket that we issued for this file and that has not run out. */
  admits(fileId: string, ticket: string, now: number): boolean {
    const [, end, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(ticket) ?? [];
    if (end === undefined || signature === undefined) return false;
    const given = Buffer.from(signature, 'base64url');
    const isOurs = this.#keys.some((key) => timingSafeEqual(sign(key, fileId, end), given));
    return isOurs && now < Number(end);
  }
}

function sign(key: Buffer, fileId: string, end: string): Buffer {
  return createHmac('sha256', key).update(`${fileId}\n${end}`).digest();
}
