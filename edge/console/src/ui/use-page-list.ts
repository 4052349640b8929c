import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { metaOf, type ReadPage } from './page-changes.ts';

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

/** A list that is read page by page. `read` answers the page after `offset` rows. */
export function usePageList<T>(queryKey: QueryKey, read: ReadPage<T>): PageList<T> {
  const query = useInfiniteQuery({
    queryKey,
    meta: metaOf(read),
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: 0,
    getNextPageParam: (page, _pages, offset) => (page.hasMore ? offset + page.items.length : undefined),
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    total: query.data?.pages[0]?.total,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
    isPending: query.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
  };
}
