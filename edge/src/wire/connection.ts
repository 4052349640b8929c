import { type Connection } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { toTimestamp, toTimestampOrNull } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Statuses of a connection in the API. */
export const CONNECTION_STATUSES = ['active', 'configured', 'disabled', 'expired', 'cooldown', 'rate_limited'] as const;
/** Health values of a connection in the API. */
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

/** A connection in responses to its workspace. */
export const connection = z.object(fields).meta({ id: 'Connection' });

/** A connection in responses of the control plane. */
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

/** A connection that was just created, with the number of conversations that it took over. */
export const createdConnection = adminConnection
  .extend({
    conversations_left: z
      .int()
      .meta({ description: 'Conversations of connections that were removed under this label and are still bound to them.' }),
    conversations_taken: z.int().meta({ description: 'Conversations that were taken over from them.' }),
  })
  .meta({ id: 'CreatedConnection' });

/** Converts a connection to its JSON form; unknown values become `configured` and `unknown`. */
export function toConnection(from: Connection): z.input<typeof connection> {
  const health = toKnownValue(CONNECTION_HEALTHS, from.health, 'unknown');
  const cooling = health === 'rate_limited' || health === 'cooldown';
  return {
    id: from.id,
    label: from.label,
    provider: from.provider,
    provider_family: from.providerFamily ?? null,
    status: toKnownValue(CONNECTION_STATUSES, from.status, 'configured'),
    health,
    is_default: from.isDefault,
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
    last_used_at: toTimestampOrNull(from.lastUsedAt),
    ...(cooling && { cooldown_seconds: from.cooldownSeconds ?? 0 }),
  };
}

/** Converts a connection to its JSON form for the control plane. */
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

/** Converts a new connection to its JSON form. */
export function toCreatedConnection(from: Connection): z.input<typeof createdConnection> {
  return {
    ...toAdminConnection(from),
    conversations_left: from.conversationsLeft ?? 0,
    conversations_taken: from.conversationsTaken ?? 0,
  };
}
