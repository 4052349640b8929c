import { z } from 'zod';
import { type OpenApi } from '../description/document.ts';

const composition = z.object({ pid: z.int(), env: z.record(z.string(), z.string()) });
const template = z.object({ folder: z.string() });

/** A composition that runs: `env` is what it was started with. */
export type PooledComposition = z.infer<typeof composition>;

/** Gives the composition of this key; starts one with `env` when there is none. Throws with what its terminal showed when it does not become ready. */
export async function getComposition(key: string, env: Record<string, string>): Promise<PooledComposition> {
  return composition.parse(await post('/compositions', { key, env }));
}

/** The folder of the migrated, empty cluster of this run. Throws when it cannot be made. */
export async function databaseTemplate(): Promise<string> {
  return template.parse(await post('/database-template', {})).folder;
}

/** The OpenAPI documents of both surfaces, which the gateway that is named first in a run has served. Throws when it does not serve them. */
export async function getDescription(url: string, authorization: string): Promise<{ whole: OpenApi; people: OpenApi }> {
  return (await post('/description', { url, authorization })) as { whole: OpenApi; people: OpenApi };
}

async function post(path: string, body: object): Promise<unknown> {
  const pool = process.env['PARLEY_TEST_POOL'];
  if (pool === undefined) throw new Error('PARLEY_TEST_POOL is not set: the e2e project of jest.config.mjs opens the pool');
  const response = await fetch(pool + path, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
