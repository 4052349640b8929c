import { z } from 'zod';
import { INSTANCE_ROLES, WORKSPACE_ROLES } from '../config/roles.ts';
import { type StoredServiceAccount } from '../store/service-accounts.ts';
import { activeStatus } from './admin.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';

/** A service account of the control plane in responses, without its secret. */
export const serviceAccount = z
  .object({
    id: z.uuid().meta({ description: 'The `client_id`.' }),
    name: z.string(),
    status: activeStatus,
    instance_role: z.enum(INSTANCE_ROLES).nullable(),
    workspace_id: z.uuid().nullable(),
    workspace_role: z.enum(WORKSPACE_ROLES).nullable(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ServiceAccount' });

/** A service account with its secret, which only this response shows. */
export const createdServiceAccount = serviceAccount
  .extend({ client_secret: z.string().meta({ description: 'Shown here and never again.' }) })
  .meta({ id: 'CreatedServiceAccount' });

/** Converts a service account to its JSON form. */
export function toServiceAccount(account: StoredServiceAccount): z.input<typeof serviceAccount> {
  return {
    id: account.id,
    name: account.name,
    status: account.status as z.input<typeof activeStatus>,
    instance_role: account.instanceRole,
    workspace_id: account.workspaceId,
    workspace_role: account.workspaceRole,
    expires_at: toTimestampOrNull(account.expiresAt),
    last_used_at: toTimestampOrNull(account.lastUsedAt),
    created_at: toTimestamp(account.createdAt),
  };
}
