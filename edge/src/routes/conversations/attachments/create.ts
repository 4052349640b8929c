import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { type attachment, toAttachment } from '../../../wire/attachment.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { sendUpload } from '../../uploads.ts';
import { type conversationParams } from '../fields.ts';

/** Attaches a file to a conversation, in the gateway and at its upstream. */
export async function createAttachment(
  { principal, params, req }: Input<z.output<typeof conversationParams>>,
  { clients, config }: RouteDeps,
): Promise<Reply<z.input<typeof attachment>>> {
  const { fileId, asset } = await sendUpload({
    req,
    caller: principal,
    config,
    head: (file) => ({ conversationId: params.conversation_id, file }),
    method: (frames, init) => clients.asset.uploadAttachment(frames, init),
  });
  if (!asset) throw new GatewayError('INTERNAL_ERROR', 'the asset service answered without an asset');
  return { body: toAttachment(fileId, asset) };
}
