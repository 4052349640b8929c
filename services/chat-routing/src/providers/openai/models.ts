import { z } from 'zod';
import { isChatModel } from '../../domain/model-kind.ts';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { createOpenAiClient } from './client.ts';
import { readListPage } from './lists.ts';

const model = z.object({ id: z.string(), created: z.number().catch(0) });

/** Listed models that do not support `/responses`. */
const OTHER_INTERFACE = /instruct|search-preview|search-api/;
/** Models that `auto` does not choose: dated snapshots, and those that take minutes. */
const SPECIAL = /-\d{4}-\d{2}-\d{2}$|-\d{4}$|-pro\b|deep-research|computer-use/;

/**
 * Returns the chat models of an account: regular ones first, each group newest first, so that `auto` selects the first. Throws a coded
 * error.
 */
export async function listModels(pools: HttpPools, connection: UpstreamConnection): Promise<string[]> {
  const { data } = await readListPage(model, createOpenAiClient(pools, connection).models.list());
  return data
    .filter(({ id }) => isChatModel(id) && !OTHER_INTERFACE.test(id))
    .sort((a, b) => Number(SPECIAL.test(a.id)) - Number(SPECIAL.test(b.id)) || b.created - a.created || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}
