import { hash, randomBytes } from 'node:crypto';

/** The prefix of every API key. */
export const KEY_PREFIX = 'gmk_live_';

/** Readable characters of a key, so that people can distinguish keys. */
const SHOWN = KEY_PREFIX.length + 4;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base-62 digits of a generated key: 62^43 > 2^256, so 32 bytes always fit. */
const DIGITS = 43;
const MIN_DIGITS = 20;
const MAX_DIGITS = 100;
const PRESET = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${MIN_DIGITS},${MAX_DIGITS}}$`);

/** Returns a new API key: the prefix and 32 random bytes in base 62. */
export function generateKey(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let digits = '';
  while (digits.length < DIGITS) {
    digits = (ALPHABET[Number(number % 62n)] ?? '') + digits;
    number /= 62n;
  }
  return KEY_PREFIX + digits;
}

/**
 * True for text in the format of an API key; checked before anything is hashed or looked up. The length may differ from that of a generated
 * key, because an operator may preset one.
 */
export function hasKeyFormat(token: string): boolean {
  return token.length <= KEY_PREFIX.length + MAX_DIGITS && PRESET.test(token);
}

/** True for a key that an operator may preset: the prefix and 20 to 100 base-62 characters. */
export function isPresetKey(value: string): boolean {
  return hasKeyFormat(value);
}

/** Returns the SHA-256 of a key in base64, by which keys are cached and stored. Keys have high entropy, so a plain hash is enough. */
export function keyDigest(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Returns the readable start of a key, which may be shown again. */
export function displayPrefix(key: string): string {
  return key.slice(0, SHOWN);
}
