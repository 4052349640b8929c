import { asProblem, parseProblem } from './problem.ts';

// openapi-fetch describes an answer by these.
type Answer<T> = { data?: T; error?: unknown; response: Response };

/** Returns the body of a successful response. @throws Problem for an error response, or without a response */
export async function unwrap<T>(answering: Promise<Answer<T>>): Promise<T> {
  return (await takeAnswer(answering)).data;
}

/** The same with the response, for headers such as `X-Total-Count`. @throws Problem */
async function takeAnswer<T>(answering: Promise<Answer<T>>): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await answering.catch((cause: unknown) => {
    throw asProblem(cause);
  });
  if (!response.ok) throw parseProblem(error, response);
  return { data: data as T, response };
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Undefined where the gateway does not count that far. */
  total: number | undefined;
  hasMore: boolean;
  /** The cursor of the next page, where the gateway gives pages by cursor. */
  next?: string | undefined;
}

/** A list's body with what its headers say of the rest. @throws Problem */
export async function unwrapPage<T>(answering: Promise<Answer<T[]>>): Promise<Page<T>> {
  const { data, response } = await takeAnswer(answering);
  const total = Number(response.headers.get('x-total-count') ?? Number.NaN);
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return {
    items: data,
    total: Number.isFinite(total) ? total : undefined,
    hasMore: next !== undefined,
    next: (next && new URL(next, location.origin).searchParams.get('cursor')) ?? undefined,
  };
}
