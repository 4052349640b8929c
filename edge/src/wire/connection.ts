import { type Connection } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { oneOf } from './one-of.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';

/** Connection statuses. */
export const CONNECTION_STATUSES = ['active', 'configured', 'disabled', 'expired', 'cooldown', 'rate_limited'] as const;
/** Connection healths. */
const CONNECTION_HEALTHS = ['healthy', 'unhealthy', 'rate_limited', 'cooldown', 'unknown'] as const;

const fields = {
  id: z.uuid(),
  label: z.string(),
  provider: z.string(),
  provider_family: z.string().nullable(),
  status: z.enum(CONNECTION_STATUSES),
  health: z.enum(CONNECTION_HEALTHS),
  is_default: z.boolean(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  cooldown_seconds: z.int().optional().meta({ description: 'Remaining cooldown; present when health is rate_limited or cooldown.' }),
};

/** A connected account as its workspace sees it. */
export const connection = z.object(fields).meta({ id: 'Connection' });

/** A connected account as the operator sees it. */
export const adminConnection = z
  .object({
    ...fields,
    workspace_id: z.uuid(),
    base_url: z.string(),
    models: z.array(z.string()),
    supports: z.array(z.string()),
    max_concurrency: z.int().nullable().meta({ description: 'Concurrent turns in each chat-routing process; null: as configured there.' }),
    pass: z.array(z.string()).meta({ description: 'Request parameters that are passed to the upstream.' }),
    default_model: z.string().nullable().meta({ description: 'The model for `auto`; null: the first chat model.' }),
    aliases: z.record(z.string(), z.string()).meta({ description: 'Alias to model.' }),
    resting_models: z.array(z.string()).meta({ description: 'Models that take no turns, because the upstream no longer has them.' }),
    reason: z.string().nullable().meta({ description: 'Why the connection takes no turns, in words.' }),
  })
  .meta({ id: 'AdminConnection' });

/** The same where it was connected just now. */
export const createdConnection = adminConnection
  .extend({
    conversations_left: z
      .int()
      .meta({ description: 'Conversations of connections that were removed under this label and are still bound to them.' }),
    conversations_taken: z.int().meta({ description: 'Conversations that were taken over from them.' }),
  })
  .meta({ id: 'CreatedConnection' });

/** The wire form of a connection; unknown values of the service become undetermined ones. */
export function toConnection(from: Connection): z.input<typeof connection> {
  const health = oneOf(CONNECTION_HEALTHS, from.health, 'unknown');
  const cooling = health === 'rate_limited' || health === 'cooldown';
  return {
    id: from.id,
    label: from.label,
    provider: from.provider,
    provider_family: from.providerFamily ?? null,
    status: oneOf(CONNECTION_STATUSES, from.status, 'configured'),
    health,
    is_default: from.isDefault,
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
    last_used_at: toTimestampOrNull(from.lastUsedAt),
    ...(cooling && { cooldown_seconds: from.cooldownSeconds ?? 0 }),
  };
}

/** The wire form for the operator. */
export function toAdminConnection(from: Connection): z.input<typeof adminConnection> {
  return {
    ...toConnection(from),
    workspace_id: from.workspaceId,
    base_url: from.baseUrl,
    models: from.models,
    supports: from.supports,
    max_concurrency: from.maxConcurrency ?? null,
    pass: from.pass,
    default_model: from.defaultModel || null,
    aliases: from.aliases,
    resting_models: from.restingModels,
    reason: from.reason || null,
  };
}

/** The wire form of one that is new. */
export function toCreatedConnection(from: Connection): z.input<typeof createdConnection> {
  return {
    ...toAdminConnection(from),
    conversations_left: from.conversationsLeft ?? 0,
    conversations_taken: from.conversationsTaken ?? 0,
  };
}
