import { isUuid } from '@parley/kit/ids/uuid';
import { KEY_PREFIX } from '../config/key-format.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type Database, runQuery } from './client.ts';
import { type StoredKey, KEY_COLUMNS } from './keys.ts';
import { type ListOrder, type ListPage, type PageRequest, readListPage } from './list-page.ts';
import { beginsWithSql, containsSql, caseFoldSql } from './search-sql.ts';

/** Statuses of a key in a list; a key that is both revoked and expired is `revoked`. */
export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
/** See KEY_STATUSES. */
type KeyStatus = (typeof KEY_STATUSES)[number];

/** Sort orders of a list of keys; `-` means descending. */
export const KEY_SORTS = ['created_at', '-created_at', 'name', '-name', 'last_used_at', '-last_used_at'] as const;
/** See KEY_SORTS. */
type KeySort = (typeof KEY_SORTS)[number];

/** The filter and the order of a list of keys. */
interface KeyFilter {
  workspaceId?: string | undefined;
  userId?: string | undefined;
  status?: KeyStatus | undefined;
  /** An id, the prefix of a key, or a part of a name. */
  search?: string | undefined;
  sort: KeySort;
}

const CREATED: ListOrder = { name: 'created_at', by: Prisma.sql`k.created_at`, type: 'time' };
const NAME: ListOrder = { name: 'name', by: caseFoldSql(Prisma.sql`k.name`), type: 'text' };
/** Keys that were never used sort before the oldest use. */
const LAST_USED: ListOrder = { name: 'last_used_at', by: Prisma.sql`COALESCE(k.last_used_at, 'epoch'::timestamptz)`, type: 'time' };

const ORDERS: Record<KeySort, ListOrder> = {
  created_at: CREATED,
  '-created_at': reversed(CREATED),
  name: NAME,
  '-name': reversed(NAME),
  last_used_at: LAST_USED,
  '-last_used_at': reversed(LAST_USED),
};

const CONDITIONS: Record<KeyStatus, Prisma.Sql> = {
  active: Prisma.sql`k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
  expired: Prisma.sql`k.revoked_at IS NULL AND k.expires_at <= now()`,
  revoked: Prisma.sql`k.revoked_at IS NOT NULL`,
};

/** Returns a page of the keys that match; hidden personal keys are excluded. */
export function listKeys(db: Database, filter: KeyFilter, page: PageRequest): Promise<ListPage<StoredKey>> {
  const { workspaceId, userId, status, search, sort } = filter;
  const where = [
    Prisma.sql`NOT k.is_personal`,
    ...(workspaceId === undefined ? [] : [Prisma.sql`k.workspace_id = ${workspaceId}::uuid`]),
    ...(userId === undefined ? [] : [Prisma.sql`k.user_id = ${userId}::uuid`]),
    ...(status === undefined ? [] : [CONDITIONS[status]]),
    ...(search ? [matches(search)] : []),
  ];
  const query = { from: Prisma.sql`api_keys k`, where, id: Prisma.sql`k.id`, order: ORDERS[sort] };
  return readListPage(db, query, page, (ids) => runQuery(db.apiKey.findMany({ where: { id: { in: ids } }, select: KEY_COLUMNS })));
}

/** The condition for a search; each kind of text uses one index. */
function matches(search: string): Prisma.Sql {
  if (isUuid(search)) return Prisma.sql`k.id = ${search}::uuid`;
  if (search.startsWith(KEY_PREFIX)) return beginsWithSql(Prisma.sql`k.prefix`, search);
  return containsSql(Prisma.sql`k.name`, search);
}

function reversed(order: ListOrder): ListOrder {
  return { ...order, name: `-${order.name}`, isDescending: true };
}
