import { createHmac } from 'node:crypto';
import { type Account } from '../options.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Number of steps before and after the current one whose codes are accepted: clocks differ, and people are slow. */
const WINDOW = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the secret of an account's authenticator app. It is derived from the account, so it is the same after a restart. */
export function deriveTotpSecret({ id, password }: Pick<Account, 'id' | 'password'>): Buffer {
  return createHmac('sha1', password).update(`authenticator of ${id}`).digest();
}

/** Returns the code of a time step (RFC 6238 with SHA-1, which is HOTP of RFC 4226). */
export function computeTotpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest[digest.length - 1] ?? 0) & 0x0f) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Returns the time step of a time in epoch milliseconds. */
export function toTimeStep(ms: number): number {
  return Math.floor(ms / STEP_MS);
}

/** Returns the end of a time step in epoch milliseconds. */
export function getTimeStepEnd(step: number): number {
  return (step + 1) * STEP_MS;
}

/**
 * Returns the time step of a code, of those that are accepted now; undefined for none. `after`: the last used step, whose code is not
 * accepted again.
 */
export function findMatchingTimeStep(secret: Buffer, code: string, now: number, after: number): number | undefined {
  const current = toTimeStep(now);
  for (let step = current - WINDOW; step <= current + WINDOW; step++)
    if (step > after && computeTotpCode(secret, step) === code) return step;
  return undefined;
}

/** Encodes a secret for authenticator apps (base32 of RFC 4648, without padding). */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
