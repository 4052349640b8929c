import { readBounded } from './read-bounded.ts';

/** The JSON of an answer; undefined for one that is none, or that has more than that many bytes. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const bytes = await readBounded(response, maxBytes);
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
