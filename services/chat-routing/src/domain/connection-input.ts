import { GatewayError } from '@parley/protos/errors';

/** Labels are sent in a header, so they contain only characters that need no quoting there. */
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Throws VALIDATION_ERROR unless the label is 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit. */
export function requireValidLabel(label: string): void {
  if (!LABEL.test(label))
    throw new GatewayError('VALIDATION_ERROR', 'a label is 1 to 64 letters, digits, dots, dashes and underscores', { param: 'label' });
}

/** Throws VALIDATION_ERROR unless the base URL is an http or https URL without credentials, query and fragment. */
export function requireValidBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new GatewayError('VALIDATION_ERROR', 'base_url must be an http or https URL without credentials or query', { param: 'base_url' });
  }
}

/** Returns `wish` if it is not taken, else the first free one of `wish-2`, `wish-3` and so on. */
export function findFreeLabel(wish: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const label = number === 1 ? wish : `${wish}-${number}`;
    if (!taken.has(label)) return label;
  }
}
