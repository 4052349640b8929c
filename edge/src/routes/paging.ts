import { type OutgoingHttpHeaders } from 'node:http';
import { z } from 'zod';

/** A page of a list. */
export interface PageQuery {
  limit: number;
  offset: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_OFFSET = 2 ** 31 - 1;

/** Query parameters of every list. */
export const paging = {
  limit: whole(1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Items on a page.' }),
  offset: whole(0, MAX_OFFSET).default(0).meta({ type: 'integer', minimum: 0, default: 0, description: 'Items before the page.' }),
};

function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** `X-Total-Count` and the RFC 8288 `Link` of a page; the links are relative, so that no forged host can get into them. */
export function pageHeaders(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  page: PageQuery,
  total: number,
): OutgoingHttpHeaders {
  const { limit, offset } = page;
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  const links = [link(path, query, limit, 0, 'first')];
  if (offset > 0) links.push(link(path, query, limit, Math.max(0, offset - limit), 'prev'));
  if (offset + limit < total) links.push(link(path, query, limit, offset + limit, 'next'));
  links.push(link(path, query, limit, last, 'last'));
  return { 'x-total-count': String(total), link: links.join(', ') };
}

function link(path: string, query: Readonly<Record<string, string | undefined>>, limit: number, offset: number, rel: string): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  params.set('limit', String(limit));
  params.set('offset', String(offset));
  return `<${path}?${params.toString()}>; rel="${rel}"`;
}

/** The same headers for a list that is always answered whole. */
export function wholeListHeaders(path: string, total: number): OutgoingHttpHeaders {
  return { 'x-total-count': String(total), link: `<${path}>; rel="first", <${path}>; rel="last"` };
}
