import { readBoundedBody } from './read-bounded-body.ts';

/** Reads the JSON of a response; undefined when it is not JSON or has more bytes than the limit. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const bytes = await readBoundedBody(response, maxBytes);
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
