import { type ConnectionTraits } from './provider.ts';

type Placed = Pick<ConnectionTraits, 'baseUrl'>;

/**
 * Returns the default base URL of a provider; empty when the operator must name one. Throws VALIDATION_ERROR for an account that does not
 * fit.
 */
export function defaultBaseUrl({ baseUrl = '' }: Placed, account: string): string {
  return typeof baseUrl === 'string' ? baseUrl : baseUrl(account);
}

/**
 * Returns the base URL after the account changes: a default URL is derived again from the new account, one that the operator named stays.
 */
export function getBaseUrlForAccount(traits: Placed, before: { account: string; baseUrl: string }, account: string): string {
  const { baseUrl } = before;
  return account !== before.account && follows(traits, before) ? defaultBaseUrl(traits, account) : baseUrl;
}

/** Whether a base URL is the default of its account. The account of an explicit base URL may be malformed, hence the catch. */
function follows(traits: Placed, { account, baseUrl }: { account: string; baseUrl: string }): boolean {
  try {
    return baseUrl === defaultBaseUrl(traits, account);
  } catch {
    return false;
  }
}
