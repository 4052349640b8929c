import { type ConnectionTraits } from './provider.ts';

type Placed = Pick<ConnectionTraits, 'baseUrl'>;

/** The base URL of a provider by default; empty where the operator has to name one. Throws VALIDATION_ERROR for an account that does not fit into it. */
export function defaultBaseUrl({ baseUrl = '' }: Placed, account: string): string {
  return typeof baseUrl === 'string' ? baseUrl : baseUrl(account);
}

/** Where the upstream is after its account changed: one that follows from the account goes with it, and one that the operator named stays. */
export function baseUrlAfter(traits: Placed, before: { account: string; baseUrl: string }, account: string): string {
  const { baseUrl } = before;
  return account !== before.account && follows(traits, before) ? defaultBaseUrl(traits, account) : baseUrl;
}

/** A connection whose base URL was named may have any account. */
function follows(traits: Placed, { account, baseUrl }: { account: string; baseUrl: string }): boolean {
  try {
    return baseUrl === defaultBaseUrl(traits, account);
  } catch {
    return false;
  }
}
