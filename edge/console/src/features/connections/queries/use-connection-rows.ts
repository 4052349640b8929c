import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Connection, type ConnectionFilters, connectionPageQuery, PAGE_ROWS, type ConnectionDetailLevel } from './connections.ts';

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
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
}

/**
 * The connections of a workspace that pass the filters. A page is read when it comes into sight; a change re-reads only those in sight, so that thousands of
 * connections that change cost no more than a screenful.
 */
export function useConnectionRows(workspaceId: string, sight: ConnectionDetailLevel, filters: ConnectionFilters): ConnectionRows {
  const queries = useQueryClient();
  const [seen, setSeen] = useState<PagesInSight>({ first: 0, last: 0 });
  const first = useQuery({ ...connectionPageQuery(workspaceId, sight, filters, 0), placeholderData: keepPreviousData });
  const total = first.data?.total ?? first.data?.items.length ?? 0;

  const last = Math.min(seen.last, Math.max(0, pageOf(total - 1)));
  const results = useQueries({
    queries: Array.from({ length: Math.max(0, last - seen.first + 1) }, (_, page) => ({
      ...connectionPageQuery(workspaceId, sight, filters, seen.first + page),
      // Rows are taken from the cache below, where nothing sees that they are used.
      notifyOnChangeProps: ['data', 'error'] as const,
    })),
  });

  return {
    count: total,
    rowAt: (index) => {
      const page = pageOf(index);
      const state = queries.getQueryState(connectionPageQuery(workspaceId, sight, filters, page).queryKey);
      const items = state?.data?.items ?? (page === 0 ? first.data?.items : undefined);
      const connection = items?.[index % PAGE_ROWS];
      return connection && { connection, readAt: state?.dataUpdatedAt ?? first.dataUpdatedAt };
    },
    onSight: (from, to) => {
      const now = { first: pageOf(from), last: pageOf(to) };
      setSeen((old) => (old.first === now.first && old.last === now.last ? old : now));
    },
    isPending: first.isPending,
    error: first.error ?? results.find(({ error }) => error)?.error ?? null,
    refetch: () => results.forEach((result) => void result.refetch()),
  };
}

/** Numbers of pages. */
interface PagesInSight {
  first: number;
  last: number;
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE_ROWS);
}
