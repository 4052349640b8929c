import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { withCodedErrors } from './failures.ts';

/** Page size, and maximum pages that are read of a list. */
const PAGE = 100;
const MAX_PAGES = 100;

/** A list request of the official client. */
interface ListCall {
  asResponse(): Promise<Response>;
}

/**
 * Reads and validates one page of a list. The client's own page class would turn an invalid body into an empty page. Throws a coded error.
 */
export async function readListPage<T extends z.ZodType>(
  item: T,
  list: ListCall,
  gone?: GatewayError,
): Promise<{ data: z.infer<T>[]; hasMore: boolean }> {
  const body: unknown = await withCodedErrors(
    list.asResponse().then((response) => response.json()),
    gone,
  );
  const parsed = z.object({ data: z.array(item), has_more: z.boolean().default(false) }).safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no list');
  return { data: parsed.data.data, hasMore: parsed.data.has_more };
}

/** Yields a list page by page; `ask` requests the page after an id. Throws a coded error, `gone` for a 404. */
export async function* iteratePages<T extends { id: string }>(
  item: z.ZodType<T>,
  ask: (query: { limit: number; after?: string }) => ListCall,
  gone: GatewayError,
): AsyncGenerator<T[]> {
  for (let pages = 0, after: string | undefined; pages < MAX_PAGES; pages++) {
    const { data, hasMore } = await readListPage(item, ask({ limit: PAGE, ...(after !== undefined && { after }) }), gone);
    yield data;
    after = data.at(-1)?.id;
    if (!hasMore || after === undefined) return;
  }
}
