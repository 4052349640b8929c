import { type RouteProfile } from '../gateway/response-schemas.ts';

/** Formats the accounts of a profile in one line, with their weights, if any; empty for all accounts. */
export function formatProfileAccounts({ account_labels, weights }: RouteProfile): string {
  return account_labels.map((label, at) => (weights[at] === undefined ? label : `${label} (${weights[at]})`)).join(', ');
}
