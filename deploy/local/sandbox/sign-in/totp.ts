import { createHmac } from 'node:crypto';
import { type Account } from '../options.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps before and after the current one whose codes are taken: clocks differ, and people are slow. */
const WINDOW = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The secret that an account's authenticator app has. It follows from the account, so that it outlives a restart. */
export function totpSecret({ id, password }: Pick<Account, 'id' | 'password'>): Buffer {
  return createHmac('sha1', password).update(`authenticator of ${id}`).digest();
}

/** The code of a step of time (RFC 6238 with SHA-1, which is HOTP of RFC 4226). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest[digest.length - 1] ?? 0) & 0x0f) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Which step of time a moment is in. */
export function stepAt(ms: number): number {
  return Math.floor(ms / STEP_MS);
}

/** When a step of time is over, in epoch ms. */
export function endOf(step: number): number {
  return (step + 1) * STEP_MS;
}

/** The step whose code this is, of those that may be used now; `after`: the step that was used last, whose code counts no more. */
export function matchStep(secret: Buffer, code: string, now: number, after: number): number | undefined {
  const current = stepAt(now);
  for (let step = current - WINDOW; step <= current + WINDOW; step++) if (step > after && totpCode(secret, step) === code) return step;
  return undefined;
}

/** A secret as authenticator apps take it (RFC 4648, without padding). */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
