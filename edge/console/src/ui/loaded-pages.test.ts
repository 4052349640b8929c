import { describe, expect, it } from '@jest/globals';
import { type Page } from '../api/unwrap.ts';
import { type LoadedPages, mergeChangedRows } from './loaded-pages.ts';

interface Row {
  id: string;
  title: string;
}

const row = (id: string, title = ''): Row => ({ id, title });
const page = (ids: string, hasMore = true): Page<Row> => ({ items: ids.split('').map((id) => row(id)), total: 9, hasMore });
const list = (...pages: string[]): LoadedPages<Row> => ({
  pages: pages.map((ids) => page(ids)),
  pageParams: pages.map((_, at) => ({ offset: at * 2, cursor: '' })),
});
const shown = ({ pages }: LoadedPages<Row>) => pages.map(({ items }) => items.map(({ id, title }) => id + title).join('')).join(' ');
const NONE = new Map<string, Row | null>();

describe('a list of which something has changed', () => {
  it('keeps what is below the first page when a row is new', () => {
    const { pages, pageParams } = mergeChangedRows(list('ab', 'cd'), page('xa'), NONE);
    expect([shown({ pages, pageParams }), pageParams.map(({ offset }) => offset)]).toEqual(['xa bc d', [0, 2, 4]]);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, true]);
  });

  it('shows a row once that has come up from below', () => {
    expect(shown(mergeChangedRows(list('ab', 'cd'), page('da'), NONE))).toBe('da bc');
  });

  it('changes rows in place, and drops those that are gone', () => {
    const changed = new Map([
      ['c', row('c', '!')],
      ['d', null],
    ]);
    expect(shown(mergeChangedRows(list('ab', 'cd', 'ef'), page('ab'), changed))).toBe('ab c!e f');
  });

  it('is the first page where there is no other', () => {
    expect(shown(mergeChangedRows(list('ab'), page('xa'), NONE))).toBe('xa');
    expect(shown(mergeChangedRows(list('ab', 'cd'), page('a', false), NONE))).toBe('a');
  });
});
