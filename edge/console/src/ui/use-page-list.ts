import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FIRST_PAGE, toListMeta, type ReadPage } from './loaded-pages.ts';

interface PageList<T> {
  rows: T[];
  /** Undefined where the gateway does not count that far. */
  total: number | undefined;
  hasMore: boolean;
  isReadingMore: boolean;
  readMore: () => void;
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
}

/** A list that is read page by page. */
export function usePageList<T>(queryKey: QueryKey, read: ReadPage<T>): PageList<T> {
  const query = useInfiniteQuery({
    queryKey,
    meta: toListMeta(read),
    queryFn: ({ pageParam: { offset, cursor } }) => read(offset, cursor),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ hasMore, items, next = '' }, _pages, { offset }) =>
      hasMore ? { offset: offset + items.length, cursor: next } : undefined,
    // What is found is shown until more of the searched text has found something else.
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  // The same rows as long as they are the same: what is made of them is kept.
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return {
    rows,
    total: data?.pages[0]?.total,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    isPending: query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
  };
}
