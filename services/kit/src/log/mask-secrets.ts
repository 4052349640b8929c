const MASK = '***';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bgmk_live_\w+/g, `gmk_live_${MASK}`],
  [/\bsk-[\w-]{6,}/g, `sk-${MASK}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`],
  // Greedy up to the last @ before a space or slash: a password may hold an unescaped @.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/]*@/gi, `$1${MASK}@`],
];

/** Returns the text with API keys, bearer tokens and credentials in URLs replaced by `***`. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}
