import { hash } from 'node:crypto';

/** Maximum characters of a slug; slugs are sent in a header and typed by users. */
const MAX_LENGTH = 64;
const DIGEST_LENGTH = 8;

/** Transliterations of letters that Unicode does not decompose into a base letter and a mark. */
const SPELT: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't', ĸ: 'k', ſ: 's' },
};

/**
 * Returns the slug of a project name (docs/adr/0023): lower-case ASCII letters and digits with single dashes, at most 64 characters,
 * without accents. A name that ASCII cannot represent fully, or that is too long, gets a digest suffix, so that different names keep
 * different slugs. The same name always gets the same slug.
 */
export function toSlug(name: string): string {
  const folded = name.trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const ascii = folded.replace(/[^\x20-\x7e]/gu, (letter) => SPELT[letter] ?? letter).replace(/['’]/gu, '');
  const slug = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const isWhole = slug !== '' && slug.length <= MAX_LENGTH && !/[^\x20-\x7e]/.test(ascii.replace(/[^\p{L}\p{N}]/gu, ''));
  if (isWhole) return slug;
  const head = (slug || 'project').slice(0, MAX_LENGTH - DIGEST_LENGTH - 1).replace(/-$/, '');
  return `${head}-${hash('sha256', folded, 'hex').slice(0, DIGEST_LENGTH)}`;
}
