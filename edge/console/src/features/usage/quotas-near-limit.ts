import { sortByUsedShare, filterNearLimit, type QuotaUse } from '../../api/quota.ts';

/** Who has quotas. */
interface Bounded {
  id: string;
  name: string;
  quota_use?: QuotaUse[];
}

/** A quota near its limit, with the key or the workspace that has it. */
export type QuotaNearLimit = QuotaUse & { id: string; name: string };

/** Returns the quotas of which at least four fifths are used, the most used first. */
export function listQuotasNearLimit(all: readonly Bounded[]): QuotaNearLimit[] {
  return sortByUsedShare(all.flatMap(({ id, name, quota_use = [] }) => filterNearLimit(quota_use).map((use) => ({ ...use, id, name }))));
}
