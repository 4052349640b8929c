import { type z } from 'zod';
import { type actionAsset, toActionAsset } from '../../../wire/action-asset.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type actionParams, type pageQuery } from '../fields.ts';

/** Returns a page of the files that the workspace uploaded for an action, newest first. */
export async function listActionAssets(
  { principal, params, query }: Input<z.output<typeof actionParams>, z.output<typeof pageQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof actionAsset>[]>> {
  const { slug } = params;
  await clients.actions.getAction({ slug }, { caller: principal });
  const { assets, total } = await clients.asset.listActionInputs({ actionSlug: slug, ...query }, { caller: principal });
  return {
    body: assets.map(toActionAsset),
    headers: pageHeaders(`/v1/actions/${slug}/assets`, {}, query, total, getLinkWriter(principal)),
  };
}
