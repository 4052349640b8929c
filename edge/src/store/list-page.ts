import { Prisma } from '../generated/prisma/client.ts';
import { runQuery, type Database } from './client.ts';
import { fromCursor, type ListPosition, type SortType, toCursor } from './list-cursor.ts';

/** The page of a list to read: `limit` rows after a cursor (empty for the start), or after an offset, which also counts all rows. */
export type PageRequest = { limit: number } & ({ cursor: string } | { offset: number });

/** A page of a list. */
export interface ListPage<T> {
  rows: T[];
  /** The total number of rows; undefined for a page that starts at a cursor. */
  total: number | undefined;
  /** The cursor of the next page; undefined for the last page. */
  next: string | undefined;
}

/** The sort order of a list. Rows with the same value are sorted by id, in the same direction. */
export interface ListOrder {
  /** Part of each cursor: a cursor is only valid for the order with this name. */
  name: string;
  /** SQL of the sort value, which must not be null. */
  by: Prisma.Sql;
  type: SortType;
  isDescending?: boolean;
}

/** A list as SQL: `FROM`, the conditions, the id and the order of its rows. */
interface ListQuery {
  from: Prisma.Sql;
  where: readonly Prisma.Sql[];
  id: Prisma.Sql;
  order: ListOrder;
}

/**
 * Reads a page of a list. `load` receives the ids of the page and returns their rows in any order; a row that was deleted meanwhile is left
 * out.
 * @throws GatewayError VALIDATION_ERROR for a cursor of another order
 */
export async function readListPage<T>(
  db: Database,
  query: ListQuery,
  page: PageRequest,
  load: (ids: string[]) => Promise<(T & { id: string })[]>,
): Promise<ListPage<T>> {
  // One row more than the limit shows whether there is a next page.
  const found = await runQuery(db.$queryRaw<ListPosition[]>(toSql(query, page)));
  const shown = found.slice(0, page.limit);
  const loaded = new Map((await load(shown.map(({ id }) => id))).map((row) => [row.id, row]));
  const rows = shown.flatMap(({ id }) => loaded.get(id) ?? []);
  const last = found.length > page.limit ? shown.at(-1) : undefined;
  return { rows, total: 'offset' in page ? await count(db, query) : undefined, next: last && toCursor(query.order.name, last) };
}

function toSql({ from, where, id, order }: ListQuery, page: PageRequest): Prisma.Sql {
  const { by, isDescending = false } = order;
  const direction = isDescending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const after = 'cursor' in page && page.cursor !== '' ? [behind(id, order, page.cursor)] : [];
  return Prisma.sql`
    SELECT ${id} AS id, ${by} AS value FROM ${from} ${conditions([...where, ...after])}
    ORDER BY ${by} ${direction}, ${id} ${direction} LIMIT ${page.limit + 1} OFFSET ${'offset' in page ? page.offset : 0}`;
}

/** Compares both columns at once, so that one index on both is used. */
function behind(id: Prisma.Sql, { name, by, type, isDescending = false }: ListOrder, cursor: string): Prisma.Sql {
  const after = fromCursor(cursor, name, type);
  const value = type === 'time' ? Prisma.sql`${after.value}::timestamptz` : Prisma.sql`${after.value}::text`;
  return Prisma.sql`(${by}, ${id}) ${isDescending ? Prisma.sql`<` : Prisma.sql`>`} (${value}, ${after.id}::uuid)`;
}

async function count(db: Database, { from, where }: ListQuery): Promise<number> {
  const [row] = await runQuery(db.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total FROM ${from} ${conditions(where)}`);
  return Number(row?.total ?? 0);
}

function conditions(all: readonly Prisma.Sql[]): Prisma.Sql {
  return all.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join([...all], ' AND ')}`;
}
