import { type RouteProfile } from '../gateway/response-schemas.ts';

/** The accounts of a profile in a line, with their weights where they have some; empty for all. */
export function formatProfileAccounts({ account_labels, weights }: RouteProfile): string {
  return account_labels.map((label, at) => (weights[at] === undefined ? label : `${label} (${weights[at]})`)).join(', ');
}
