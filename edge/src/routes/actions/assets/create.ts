import { z } from 'zod';
import { type actionAsset, toActionAsset } from '../../../wire/action-asset.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { sendUpload } from '../../uploads.ts';
import { type actionParams } from '../fields.ts';

/** A form with a file for an action (spec §4.8); the handler reads it as it arrives. */
export const actionFileForm = z
  .object({ file: z.string().meta({ type: 'string', format: 'binary', description: '20 MiB at most unless configured, and not empty.' }) })
  .meta({ id: 'ActionFileUpload' });

/** Keeps a file for one run of an action. */
export async function createActionAsset(
  { principal, params, req }: Input<z.output<typeof actionParams>>,
  { clients, config }: RouteDeps,
): Promise<Reply<z.input<typeof actionAsset>>> {
  await clients.actions.getAction(params, { caller: principal });
  const kept = await sendUpload({
    req,
    caller: principal,
    config,
    maxBytes: config.maxActionAssetBytes,
    head: (file) => ({ actionSlug: params.slug, file }),
    method: (frames, init) => clients.asset.uploadActionInput(frames, init),
  });
  return { body: toActionAsset(kept) };
}
