import { type Key } from './queries/keys.ts';
import { type KeyUse } from './queries/use-of-keys.ts';

/** What a key is. */
export type KeyStatus = 'active' | 'expired' | 'revoked';

/** Whether a key works now. */
export function statusOf({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>, now = Date.now()): KeyStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}

interface View {
  /** Words, a prefix or an id. */
  q?: string | undefined;
  status?: KeyStatus | undefined;
  /** A column; with `-` before it, the greatest first. */
  sort?: string | undefined;
  nameOfUser: (id: string) => string | undefined;
  consumptionOf: (key: Key) => KeyUse | undefined;
}

/** The keys that are looked for, in the order that is asked for; without one, as the gateway gives them. */
export function selectKeys(keys: readonly Key[], { q, status, sort, nameOfUser, consumptionOf }: View): Key[] {
  const words = (q ?? '').trim().toLowerCase();
  const found = keys.filter((key) => {
    if (status !== undefined && statusOf(key) !== status) return false;
    const about = [key.name, key.prefix, key.id, key.project, key.user_id, nameOfUser(key.user_id)];
    return words === '' || about.some((text) => text?.toLowerCase().includes(words) ?? false) || words.startsWith(key.prefix.toLowerCase());
  });
  if (sort === undefined) return found;
  const column = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const valueOf = VALUES[column] ?? (() => '');
  return found.toSorted((one, other) => sign * compare(valueOf(one, consumptionOf), valueOf(other, consumptionOf)));
}

const VALUES: Readonly<Record<string, (key: Key, consumptionOf: View['consumptionOf']) => string | number | null>> = {
  name: ({ name }) => name.toLowerCase(),
  last_used: ({ last_used_at }) => last_used_at ?? '',
  expires: ({ expires_at }) => expires_at ?? '',
  used: (key, consumptionOf) => consumptionOf(key)?.requests ?? 0,
};

function compare(one: string | number | null, other: string | number | null): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}
