import { type Asset } from '@parley/protos/asset/v1/asset';
import { type Error as RecordedError } from '@parley/protos/common/v1/error';
import { type Message } from '@parley/protos/conversation/v1/resource';
import { GatewayError, isErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { asset, isTerminalAsset, toAsset } from './asset.ts';
import { type LinkWriter } from './link-writer.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

const ROLES = ['system', 'user', 'assistant'] as const;
const STATUSES = ['streaming', 'processing_assets', 'completed', 'failed', 'interrupted'] as const;

const usage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
const failure = z.object({ code: z.string(), message: z.string(), type: z.string(), retryable: z.boolean().nullable() });

/** A message of a conversation in responses. */
export const message = z
  .object({
    id: z.uuid(),
    object: z.literal('message'),
    conversation_id: z.uuid(),
    role: z.enum(ROLES),
    status: z.enum(STATUSES),
    content: z.string().meta({ description: 'The text so far.' }),
    reasoning_content: z.string().optional().meta({ description: 'The reasoning of a model before its answer; absent for most messages.' }),
    model: z.string().nullable().meta({ description: 'Null for a message that no model wrote.' }),
    assets: z.array(asset),
    pending_operations: z.int().meta({ description: 'Assets that are not ready yet.' }),
    usage: usage.nullable().meta({ description: 'Estimates; null for messages that are not answers of a turn.' }),
    error: failure.nullable().meta({ description: 'Why the turn failed.' }),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable().meta({ description: 'Null while it is streaming.' }),
  })
  .meta({ id: 'Message' });

/** Converts a message to its JSON form; `known` has its registered assets by id. */
export function toMessage(from: Message, known: ReadonlyMap<string, Asset>, link: LinkWriter): z.input<typeof message> {
  const assets = from.assetIds.flatMap((id) => known.get(id) ?? []);
  // An asset that the message waits for may not be registered in the asset service yet.
  const isAwaited = from.status === 'processing_assets';
  const unknown = isAwaited ? from.assetIds.length - assets.length : 0;
  const pending = unknown + assets.filter((one) => !isTerminalAsset(one)).length;
  // The message itself is updated a moment after its last asset.
  const isDone = isAwaited && pending === 0;
  return {
    id: from.id,
    object: 'message',
    conversation_id: from.conversationId,
    role: toKnownValue(ROLES, from.role, 'assistant'),
    status: isDone ? 'completed' : toKnownValue(STATUSES, from.status, 'completed'),
    content: from.content,
    ...(from.reasoning && { reasoning_content: from.reasoning }),
    model: from.model === '' ? null : from.model,
    assets: assets.map((one) => toAsset(one, link)),
    pending_operations: pending,
    usage: from.usage ? toUsage(from.usage) : null,
    error: from.error ? toFailure(from.error) : null,
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
    completed_at: toTimestampOrNull(from.completedAt ?? (isDone ? lastMove(assets) : undefined)),
  };
}

function lastMove(assets: readonly Asset[]): Date | undefined {
  const moves = assets.flatMap(({ updatedAt }) => updatedAt ?? []);
  return moves.sort((a, b) => b.getTime() - a.getTime())[0];
}

function toUsage({ tokensIn, tokensOut }: NonNullable<Message['usage']>): z.input<typeof usage> {
  return { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut };
}

/** Returns the error with which the turn was answered. */
function toFailure({ condition, message: text }: RecordedError): z.input<typeof failure> {
  const error = new GatewayError(isErrorCondition(condition) ? condition : 'INTERNAL_ERROR', text);
  return { code: error.code, message: text, type: error.row.type, retryable: error.row.retryable };
}
