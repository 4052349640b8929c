import { type InfiniteData, type QueryMeta } from '@tanstack/react-query';
import { type Page } from '../api/unwrap.ts';

/** Where a page begins: after so many rows, or at a cursor, which is empty for the first page and where there is none. */
interface Place {
  offset: number;
  cursor: string;
}

/** Where the first page begins. */
export const FIRST_PAGE: Place = { offset: 0, cursor: '' };
/** The loaded pages of a list, each with its place. */
export type LoadedPages<T> = InfiniteData<Page<T>, Place>;
/** Reads the page at a place. */
export type ReadPage<T> = (offset: number, cursor: string) => Promise<Page<T>>;

/** Returns the metadata of the query of a list, so that single pages of it can be read again. */
export function toListMeta<T>(readPage: ReadPage<T>): QueryMeta {
  return { readPage };
}

/** Finds the function that reads the pages of a list; undefined for other queries. */
export function findPageReader<T>(meta: QueryMeta | undefined): ReadPage<T> | undefined {
  return meta?.['readPage'] as ReadPage<T> | undefined;
}

/**
 * Merges changes into the pages of a list, newest first: the first page as it is now, then the rows that were there, with changed ones in
 * place and without those that are null. Rows that have come to the first page are not shown again below.
 */
export function mergeChangedRows<T extends { id: string }>(
  { pages }: LoadedPages<T>,
  first: Page<T>,
  changed: ReadonlyMap<string, T | null>,
): LoadedPages<T> {
  const size = Math.max(pages[0]?.items.length ?? 0, first.items.length);
  const last = pages.at(-1);
  if (pages.length < 2 || !last || !first.hasMore) return { pages: [first], pageParams: [FIRST_PAGE] };
  const inFirst = new Set(first.items.map(({ id }) => id));
  const below = pages
    .flatMap(({ items }) => items)
    .filter(({ id }) => !inFirst.has(id))
    .map((row) => (changed.has(row.id) ? (changed.get(row.id) ?? null) : row))
    .filter((row) => row !== null);
  const rows = [...first.items, ...below];
  const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => at * size);
  return {
    pages: starts.map((start) => ({
      items: rows.slice(start, start + size),
      total: first.total,
      hasMore: start + size < rows.length || last.hasMore,
    })),
    pageParams: starts.map((offset) => ({ offset, cursor: '' })),
  };
}
