import { GatewayError } from '@parley/protos/errors';
import { type OutgoingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { type ListPage, type PageRequest } from '../store/list-page.ts';
import { type LinkQuery, plainLink, type LinkWriter } from '../wire/link-writer.ts';

/** The page of a list that a query requests: `limit` items after `offset`. */
export interface PageQuery {
  limit: number;
  offset: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_OFFSET = 2 ** 31 - 1;

/** Query parameters of every list: `limit` (1 to 200, 50 by default) and `offset`. */
export const paging = {
  limit: integerParam(1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Items on a page.' }),
  offset: integerParam(0, MAX_OFFSET).default(0).meta({ type: 'integer', minimum: 0, default: 0, description: 'Items before the page.' }),
};

const MAX_CURSOR = 8_000;

/** A position in a list, from the link to the next page. */
const cursor = z.string().max(MAX_CURSOR, 'must be a cursor of this list').optional().meta({
  description:
    'The one of the link `next`; empty for the first page. Then nothing is counted, and pages stay exact while the list changes.',
});

/** Query parameters of lists that are read by offset, which also counts the items, or by cursor. */
export const cursorPaging = { ...paging, cursor };

/** The parsed query of such a list. */
interface CursorQuery extends PageQuery {
  cursor?: string | undefined;
}

/** Returns the schema of a whole number in a query, within bounds. */
export function integerParam(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Returns the headers `X-Total-Count` and `Link` (RFC 8288) of a page. */
export function pageHeaders(
  path: string,
  query: LinkQuery,
  page: PageQuery,
  total: number,
  self: LinkWriter = plainLink,
): OutgoingHttpHeaders {
  const { limit, offset } = page;
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const link = toLink(self, path, query, limit);
  const links = [...linksBack(link, page)];
  if (offset + limit < total) links.push(link(offset + limit, 'next'));
  links.push(link(last, 'last'));
  return { 'x-total-count': String(total), link: links.join(', ') };
}

/** Returns the `Link` header of a page of a list that is not counted: neither the total nor the last page is known. */
export function uncountedPageHeaders(
  path: string,
  query: LinkQuery,
  page: PageQuery,
  items: number,
  self: LinkWriter = plainLink,
): OutgoingHttpHeaders {
  const { limit, offset } = page;
  const link = toLink(self, path, query, limit);
  const next = items === limit ? [link(offset + limit, 'next')] : [];
  return { link: [...linksBack(link, page), ...next].join(', ') };
}

type Link = (offset: number, rel: string) => string;

function toLink(self: LinkWriter, path: string, query: LinkQuery, limit: number): Link {
  return (offset, rel) => `<${self(path, { ...query, limit: String(limit), offset: String(offset) })}>; rel="${rel}"`;
}

function linksBack(link: Link, { limit, offset }: PageQuery): string[] {
  const first = link(0, 'first');
  return offset > 0 ? [first, link(Math.max(0, offset - limit), 'prev')] : [first];
}

/** Converts a query to the page to read. @throws GatewayError VALIDATION_ERROR for a cursor together with an offset */
export function toPageRequest({ limit, offset, cursor: at }: CursorQuery): PageRequest {
  if (at === undefined) return { limit, offset };
  if (offset > 0) throw new GatewayError('VALIDATION_ERROR', 'offset: give either offset or cursor', { param: 'offset' });
  return { limit, cursor: at };
}

/** Returns the headers of a page by offset, as `pageHeaders` does, or by cursor, with the cursor of the next page. */
export function cursorPageHeaders(
  path: string,
  filters: LinkQuery,
  query: CursorQuery,
  { total = 0, next }: Pick<ListPage<unknown>, 'total' | 'next'>,
): OutgoingHttpHeaders {
  if (query.cursor === undefined) return pageHeaders(path, filters, query, total);
  const link = (at: string, rel: string) => `<${plainLink(path, { ...filters, limit: String(query.limit), cursor: at })}>; rel="${rel}"`;
  return { link: [link('', 'first'), ...(next ? [link(next, 'next')] : [])].join(', ') };
}

/** Returns the same headers for a list that is always returned completely. */
export function wholeListHeaders(path: string, total: number, self: LinkWriter = plainLink, query: LinkQuery = {}): OutgoingHttpHeaders {
  const target = self(path, query);
  return { 'x-total-count': String(total), link: `<${target}>; rel="first", <${target}>; rel="last"` };
}
