import { hashKey, keepPreviousData, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

/** A page of a list, with the cursor of the next one. */
export interface CursorPage<T, C> {
  items: T[];
  /** Undefined behind the last page. */
  next: C | undefined;
  /** Undefined where the gateway does not count. */
  total: number | undefined;
}

interface GrowingListOptions<T, C> {
  /** Of the first page: below the key of what makes it old. */
  headKey: QueryKey;
  /** Of the pages behind it, which are read once. */
  restKey: QueryKey;
  /** Undefined for the first page. */
  read: (from: C | undefined) => Promise<CursorPage<T, C>>;
  /** True where new rows push others down: the first page then stands still as soon as there are more. */
  isMoving?: boolean;
}

interface GrowingList<T> {
  rows: T[];
  total: number | undefined;
  hasMore: boolean;
  isReadingMore: boolean;
  readMore: () => void;
  /** The first page stands still, and is older than what `showNewest` shows. */
  isOld: boolean;
  showNewest: () => void;
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
}

interface Begun<T, C> {
  /** Of the list that was begun: another one begins anew. */
  list: string;
  from: C;
  /** The first page as it was. */
  head: CursorPage<T, C>;
}

/** A list of any length whose first page moves with the live stream, while those behind it are read once: what is live costs one request. */
export function useGrowingList<T, C>({ headKey, restKey, read, isMoving = false }: GrowingListOptions<T, C>): GrowingList<T> {
  const list = hashKey(restKey);
  const [lastBegun, setBegun] = useState<Begun<T, C>>();
  const begun = lastBegun?.list === list ? lastBegun : undefined;
  // What was found is shown until the next list is there.
  const head = useQuery({ queryKey: headKey, queryFn: () => read(undefined), placeholderData: keepPreviousData });
  const rest = useInfiniteQuery({
    queryKey: [...restKey, begun?.from],
    // The library's type of a parameter is open where C is.
    queryFn: ({ pageParam }) => read(pageParam as C | undefined),
    initialPageParam: begun?.from,
    getNextPageParam: (page) => page.next,
    enabled: begun !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const first = isMoving ? (begun?.head ?? head.data) : head.data;
  const more = begun && rest.data?.pages;
  const last = more?.at(-1) ?? first;
  // The same rows as long as they are the same: what is made of them is kept.
  const rows = useMemo(() => [first, ...(more ?? [])].flatMap((page) => page?.items ?? []), [first, more]);
  const { data } = head;
  return {
    rows,
    total: data?.total,
    hasMore: last?.next !== undefined && !head.isPlaceholderData,
    isReadingMore: rest.isFetching,
    readMore: () => {
      if (begun) void rest.fetchNextPage();
      else if (data?.next !== undefined && !head.isPlaceholderData) setBegun({ list, from: data.next, head: data });
    },
    isOld: isMoving && begun !== undefined && data !== undefined && data !== begun.head,
    showNewest: () => setBegun(undefined),
    isPending: head.isPending,
    error: head.error ?? rest.error,
    refetch: () => {
      void head.refetch();
      if (begun) void rest.refetch();
    },
  };
}
