import { z } from 'zod';
import { type asset, toAsset } from '../../wire/asset.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type RouteDeps } from '../deps.ts';
import { pageHeaders, paging } from '../paging.ts';
import { type Input, type Reply } from '../route.ts';
import { type conversationParams } from './fields.ts';

/** Query parameters of the list of a conversation's assets. */
export const conversationAssetsQuery = z.object(paging);

/** Returns a page of the assets that were attached to a conversation or generated in it, oldest first. */
export async function listConversationAssets(
  { principal, params, query }: Input<z.output<typeof conversationParams>, z.output<typeof conversationAssetsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof asset>[]>> {
  const id = params.conversation_id;
  const { assets, total } = await clients.asset.listConversationAssets({ conversationId: id, ...query }, { caller: principal });
  const link = getLinkWriter(principal);
  const headers = pageHeaders(`/v1/conversations/${id}/assets`, {}, query, total, link);
  return { body: assets.map((one) => toAsset(one, link)), headers };
}
