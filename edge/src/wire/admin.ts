import { z } from 'zod';
import { INSTANCE_ROLES } from '../config/roles.ts';
import { SCOPES } from '../config/scopes.ts';
import { type StoredKey } from '../store/keys.ts';
import { type StoredUser } from '../store/users.ts';
import { type StoredWorkspace } from '../store/workspaces.ts';
import { quotaUses } from './quota-use.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';

/** Status of a workspace, a user, a service account or a provider: only an active one may be used. */
export const activeStatus = z.enum(['active', 'disabled']);

const quotas = z
  .object({ requests: z.string().nullable(), tokens: z.string().nullable(), audio_seconds: z.string().nullable() })
  .meta({ id: 'Quotas', description: 'Each such as `10000 per 1 day`, or `unlimited`; null for the default.' });

const scopes = z.array(z.enum(SCOPES));

/** An API key in responses, without its secret. */
export const apiKey = z
  .object({
    id: z.uuid(),
    workspace_id: z.uuid(),
    user_id: z.uuid(),
    name: z.string(),
    prefix: z.string(),
    scopes,
    project: z.string().nullable().meta({ description: 'Slug of the internal project that the key is bound to.' }),
    quotas,
    quota_use: quotaUses.optional(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ApiKey' });

/** A new API key with its secret, which only this response shows. */
export const createdApiKey = apiKey
  .pick({ id: true, name: true, prefix: true, scopes: true, project: true, quotas: true, expires_at: true, created_at: true })
  .extend({ key: z.string() })
  .meta({ id: 'CreatedApiKey' });

/** Limit of the concurrent requests of a workspace at each edge. */
export const maxConcurrency = z
  .int()
  .min(1)
  .max(1_000_000)
  .meta({ description: 'Concurrent chat answers, uploads, transcriptions and speech at each edge; null: as configured there.' });

/** A workspace in responses of the control plane. */
export const workspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: activeStatus,
    quotas,
    quota_use: quotaUses.optional(),
    created_at: z.iso.datetime(),
    max_concurrency: maxConcurrency.nullable(),
  })
  .meta({ id: 'Workspace' });

const membership = z.object({ workspace_id: z.uuid(), role: z.string() });

/** A user in responses of the control plane. */
export const user = z
  .object({
    id: z.uuid(),
    display_name: z.string(),
    email: z.string().nullable(),
    status: activeStatus,
    instance_role: z.enum(INSTANCE_ROLES).nullable(),
    memberships: z.array(membership),
    requires_second_factor: z.boolean(),
    last_sign_in_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User' });

/** Converts a stored API key to its JSON form. */
export function toApiKey(key: StoredKey): z.input<typeof apiKey> {
  return {
    id: key.id,
    workspace_id: key.workspaceId,
    user_id: key.userId,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes as z.input<typeof scopes>,
    project: key.internalProject?.slug ?? null,
    quotas: toQuotas(key),
    expires_at: toTimestampOrNull(key.expiresAt),
    revoked_at: toTimestampOrNull(key.revokedAt),
    last_used_at: toTimestampOrNull(key.lastUsedAt),
    created_at: toTimestamp(key.createdAt),
  };
}

/** Converts a new API key to its JSON form; `key` is the secret. */
export function toCreatedApiKey(stored: StoredKey, key: string): z.input<typeof createdApiKey> {
  const { id, name, prefix, scopes, project, quotas, expires_at, created_at } = toApiKey(stored);
  return { id, name, prefix, scopes, project, quotas, expires_at, created_at, key };
}

/** Converts a stored workspace to its JSON form. */
export function toWorkspace(stored: StoredWorkspace): z.input<typeof workspace> {
  const { id, name, createdAt, maxConcurrency: bound } = stored;
  const status = stored.status as z.input<typeof activeStatus>;
  return { id, name, status, quotas: toQuotas(stored), created_at: toTimestamp(createdAt), max_concurrency: bound };
}

function toQuotas(of: Pick<StoredKey, 'quotaRequests' | 'quotaTokens' | 'quotaAudioSeconds'>): z.input<typeof quotas> {
  return { requests: of.quotaRequests, tokens: of.quotaTokens, audio_seconds: of.quotaAudioSeconds };
}

/** Converts a stored user to its JSON form. */
export function toUser(stored: StoredUser): z.input<typeof user> {
  return {
    id: stored.id,
    display_name: stored.displayName,
    email: stored.email,
    status: stored.status as z.input<typeof activeStatus>,
    instance_role: stored.instanceRole,
    memberships: stored.memberships.map(({ workspaceId, role }) => ({ workspace_id: workspaceId, role })),
    requires_second_factor: stored.requiresSecondFactor,
    last_sign_in_at: toTimestampOrNull(stored.lastSignInAt),
    created_at: toTimestamp(stored.createdAt),
  };
}
