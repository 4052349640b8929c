import { randomInt } from 'node:crypto';
import { tokenDigest } from './tokens.ts';

const CODES = 10;
const GROUPS = 4;
const GROUP = 4;
/** Letters and digits that are not taken for each other when they are written down; a code has 79 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Recovery codes to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

/** What is stored of a code, however it was typed: SHA-256, as its entropy is high. */
export function recoveryCodeDigest(code: string): string {
  return tokenDigest(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

function newGroup(): string {
  return Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
