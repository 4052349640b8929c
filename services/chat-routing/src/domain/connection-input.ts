import { GatewayError } from '@parley/protos/errors';

/** Labels travel in a header, so they are what a header can hold without quoting. */
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Throws VALIDATION_ERROR for a label that is no name. */
export function requireLabel(label: string): void {
  if (!LABEL.test(label))
    throw new GatewayError('VALIDATION_ERROR', 'a label is 1 to 64 letters, digits, dots, dashes and underscores', { param: 'label' });
}

/** Throws VALIDATION_ERROR for a base URL that is not http or https, or that carries credentials. */
export function requireBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new GatewayError('VALIDATION_ERROR', 'base_url must be an http or https URL without credentials or query', { param: 'base_url' });
  }
}

/** A label like `wish` that none of these is: itself, or with a number behind it. */
export function freeLabel(wish: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const label = number === 1 ? wish : `${wish}-${number}`;
    if (!taken.has(label)) return label;
  }
}
