import { z } from 'zod';
import { type actionAsset, toActionAsset } from '../../../wire/action-asset.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { fileField, sendUpload } from '../../uploads.ts';
import { type actionParams } from '../fields.ts';

/** Schema of a form with an input file, for the API description; the handler reads the form as it arrives. */
export const actionFileForm = z.object({ file: fileField('20 MiB at most unless configured') }).meta({ id: 'ActionFileUpload' });

/** Stores an input file for one run of an action. */
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
