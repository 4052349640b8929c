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
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
}

/**
 * The connections of a workspace that pass the filters. A page is read when it comes into sight; a change re-reads only those in sight, so that thousands of
 * connections that change cost no more than a screenful.
 */
export function useConnectionRows(workspaceId: string, sight: Sight, filters: ConnectionFilters): ConnectionRows {
  const queries = useQueryClient();
  const [seen, setSeen] = useState({ first: 0, last: 0 });
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
  const results = useQueries({
    queries: options.map((option, page) => ({
      ...option,
      enabled: page >= pageOf(seen.first) && page <= pageOf(seen.last),
      // Rows are taken from the cache above, where nothing sees that they are used.
      notifyOnChangeProps: ['data', 'error'] as const,
    })),
  });

  return {
    count: total,
    rowAt: (index) => {
      const { items, readAt = 0 } = pages[pageOf(index)] ?? {};
      const connection = items?.[index % PAGE_ROWS];
      return connection && { connection, readAt };
    },
    onSight: (from, to) => setSeen((old) => (old.first === from && old.last === to ? old : { first: from, last: to })),
    isPending: first.isPending,
    error: first.error ?? results.find(({ error }) => error)?.error ?? null,
    refetch: () => results.forEach((result) => result.isEnabled && void result.refetch()),
  };
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE_ROWS);
}
