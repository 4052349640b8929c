import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { type components } from '../api/generated/me.ts';
import { type Page } from '../api/unwrap.ts';
import { toListMeta } from '../ui/loaded-pages.ts';
import { workspaceQueryKey } from './change-events.ts';

type Conversation = components['schemas']['Conversation'];

// The client of the gateway reads the address of its page.
Object.assign(globalThis, { location: { origin: 'http://gateway' } });
const { refreshConversations } = await import('./refresh-conversations.ts');

const PAGES = 50;
const SIZE = 100;
const WORKSPACE = 'w1';

/** A server with many conversations, which counts what is read. */
class Record {
  titles = Array.from({ length: PAGES * SIZE * 2 }, (_, at): readonly [string, string] => [`c${at}`, `title ${at}`]);
  offsets: number[] = [];

  readonly read = (offset: number): Promise<Page<Conversation>> => {
    this.offsets.push(offset);
    const items = this.titles.slice(offset, offset + SIZE).map(([id, title]) => ({ id, title, status: 'active' }) as Conversation);
    return Promise.resolve({ items, total: this.titles.length, hasMore: true });
  };
}

describe('a list of conversations of which one has changed', () => {
  const queryKey = [...workspaceQueryKey(WORKSPACE, 'conversations'), 'list', {}];
  let record: Record;
  let queries: QueryClient;
  let end: () => void;
  const fetched: string[] = [];
  const { fetch: realFetch } = globalThis;
  beforeEach(async () => {
    record = new Record();
    queries = new QueryClient();
    fetched.length = 0;
    Object.assign(globalThis, {
      fetch: (request: Request) => {
        fetched.push(new URL(request.url).pathname);
        const id = request.url.split('/').at(-1) ?? '';
        const found = record.titles.find(([one]) => one === id);
        return Promise.resolve(Response.json({ id, title: found?.[1], status: 'active' }, { status: found ? 200 : 404 }));
      },
    });
    const observer = new InfiniteQueryObserver(queries, {
      queryKey,
      meta: toListMeta(record.read),
      queryFn: ({ pageParam }) => record.read(pageParam),
      initialPageParam: 0,
      getNextPageParam: (page: Page<Conversation>, _pages, offset) => offset + page.items.length,
      staleTime: Infinity,
    });
    end = observer.subscribe(() => undefined);
    for (let page = 0; page < PAGES; page++) await observer.fetchNextPage();
    record.offsets = [];
  });
  afterEach(() => {
    end();
    queries.clear();
    Object.assign(globalThis, { fetch: realFetch });
  });

  const rows = () => queries.getQueryData<{ pages: Page<Conversation>[] }>(queryKey)?.pages.flatMap(({ items }) => items) ?? [];
  const change = (id: string) => refreshConversations(queries, WORKSPACE, new Set([id]));

  it('reads the first page when it has come to the top, whatever has been scrolled through', async () => {
    const at = 3_333;
    record.titles = [['c3333', 'answered'], ...record.titles.filter((_, one) => one !== at)];
    const before = rows().length;
    await change('c3333');
    expect([record.offsets, fetched]).toEqual([[0], []]);
    expect(rows().map(({ id, title }) => [id, title])).toEqual(record.titles.slice(0, before).map((one) => [...one]));
  });

  it('reads the row besides when it has stayed below', async () => {
    record.titles = record.titles.map((one) => (one[0] === 'c3333' ? (['c3333', 'renamed'] as const) : one));
    await change('c3333');
    expect([record.offsets, fetched]).toEqual([[0], ['/me/v1/conversations/c3333']]);
    expect(rows().find(({ id }) => id === 'c3333')?.title).toBe('renamed');
  });

  it('drops a row that is gone', async () => {
    record.titles = record.titles.filter(([id]) => id !== 'c3333');
    const before = rows().length;
    await change('c3333');
    expect([rows().length, rows().some(({ id }) => id === 'c3333')]).toEqual([before - 1, false]);
  });
});
