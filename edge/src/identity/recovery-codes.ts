import { randomInt } from 'node:crypto';
import { tokenDigest } from './tokens.ts';

const CODES = 10;
const GROUPS = 4;
const GROUP = 4;
/** Letters and digits that are not easily confused in handwriting; a code has 79 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns ten new recovery codes, which are shown only once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

/** Returns the stored form of a code, independent of case, spaces and hyphens: SHA-256, as its entropy is high. */
export function recoveryCodeDigest(code: string): string {
  return tokenDigest(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

function newGroup(): string {
  return Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
