import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Connection, type ConnectionFilters, connectionPageQuery, PAGE_ROWS, type Sight } from './connections.ts';

/** A connection with the time at which its page was read, from which its countdown runs. */
export interface ConnectionRow {
  connection: Connection;
  readAt: number;
}

/** Connections that one can scroll through. */
interface ConnectionRows {
  /** Of those that match. */
  count: number;
  /** Undefined while its page is being read. */
  rowAt: (index: number) => ConnectionRow | undefined;
  /** Tells which rows are in sight. */
  onSight: (first: number, last: number) => void;
  /** While a search reads on: how many it has looked through. */
  searched: { read: number; total: number } | undefined;
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
}

/** Pages that a search reads at a time. */
const AT_ONCE = 3;

/**
 * The connections of a workspace that pass the filters and have `text` in their label or provider. A page is read when it comes into sight, or when a
 * search needs it; a change re-reads only those in sight, so that thousands of connections that change cost no more than a screenful.
 */
export function useConnectionRows(workspaceId: string, sight: Sight, filters: ConnectionFilters, text: string): ConnectionRows {
  const queries = useQueryClient();
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const wanted = text.trim().toLowerCase();
  const isSearch = wanted !== '';
  const first = useQuery({ ...connectionPageQuery(workspaceId, sight, filters, 0), placeholderData: keepPreviousData });
  const total = first.data?.total ?? first.data?.items.length ?? 0;

  const pageCount = Math.max(1, Math.ceil(total / PAGE_ROWS));
  const options = Array.from({ length: pageCount }, (_, page) => connectionPageQuery(workspaceId, sight, filters, page));
  const pages = options.map(({ queryKey }, page) => {
    const state = queries.getQueryState(queryKey);
    return {
      items: state?.data?.items ?? (page === 0 ? first.data?.items : undefined),
      readAt: state?.dataUpdatedAt ?? first.dataUpdatedAt,
    };
  });
  const found = isSearch
    ? pages.flatMap(({ items = [], readAt }, page) =>
        items.filter((connection) => matches(connection, wanted)).map((connection) => ({ connection, readAt, page })),
      )
    : undefined;
  const inSight = new Set(
    found
      ? found.slice(seen.first, seen.last + 1).map(({ page }) => page)
      : options.map((_, page) => page).filter((page) => page >= pageOf(seen.first) && page <= pageOf(seen.last)),
  );
  const unread = isSearch ? pages.flatMap(({ items }, page) => (items ? [] : [page])) : [];
  const results = useQueries({
    queries: options.map((option, page) => ({
      ...option,
      enabled: inSight.has(page) || unread.slice(0, AT_ONCE).includes(page),
      // Rows are taken from the cache above, where nothing sees that they are used.
      notifyOnChangeProps: ['data', 'error'] as const,
    })),
  });

  return {
    count: found ? found.length : total,
    rowAt: (index) => {
      if (found) return found[index];
      const { items, readAt = 0 } = pages[pageOf(index)] ?? {};
      const connection = items?.[index % PAGE_ROWS];
      return connection && { connection, readAt };
    },
    onSight: (from, to) => setSeen((old) => (old.first === from && old.last === to ? old : { first: from, last: to })),
    searched: unread.length > 0 ? { read: Math.max(0, total - unread.length * PAGE_ROWS), total } : undefined,
    isPending: first.isPending,
    error: first.error ?? results.find(({ error }) => error)?.error ?? null,
    refetch: () => results.forEach((result) => result.isEnabled && void result.refetch()),
  };
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE_ROWS);
}

function matches({ label, provider }: Connection, wanted: string): boolean {
  return label.toLowerCase().includes(wanted) || provider.includes(wanted);
}
