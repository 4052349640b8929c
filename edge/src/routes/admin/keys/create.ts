import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_USER_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { displayPrefix, generateKey, keyDigest } from '../../../config/key-format.ts';
import { NO_RIGHTS } from '../../../config/roles.ts';
import { type Scope, SCOPES } from '../../../config/scopes.ts';
import { hasPermission } from '../../../identity/permissions.ts';
import { canManageRole } from '../../../identity/role-grants.ts';
import { type Principal } from '../../../middleware/principal.ts';
import { type Database } from '../../../store/client.ts';
import { findInternalProject } from '../../../store/internal-projects.ts';
import { insertKey } from '../../../store/keys.ts';
import { findMember, type MemberRef } from '../../../store/memberships.ts';
import { type createdApiKey, toCreatedApiKey } from '../../../wire/admin.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name, slug, uuid } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { quotas, toQuotaChange, workspaceId } from '../fields.ts';

const DEFAULT_SCOPES: Scope[] = ['chat', 'conversations'];

/** The body to create an API key. */
export const createKeyBody = z
  .object({
    name,
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(SCOPES.length)
      .default(DEFAULT_SCOPES)
      .transform((scopes) => [...new Set(scopes)]),
    expires_at: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time' })
      .refine((value) => Date.parse(value) > Date.now(), 'must lie in the future')
      .nullish(),
    user_id: uuid.default(DEFAULT_USER_ID).meta({ format: 'uuid', default: DEFAULT_USER_ID }),
    project: slug.nullish().meta({ description: 'The internal project that the key is bound to: its turns use no other.' }),
    workspace_id: workspaceId,
    quotas: quotas.optional(),
  })
  .meta({ id: 'NewApiKey' });

/** Creates an API key; only this response contains the secret. */
export async function createKey(
  { principal, body }: Input<undefined, undefined, z.output<typeof createKeyBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof createdApiKey>>> {
  await assertMayMakeKey(deps.db, principal, { workspaceId: body.workspace_id, userId: body.user_id });
  const key = generateKey();
  const row = {
    id: uuidv7(),
    workspaceId: body.workspace_id,
    userId: body.user_id,
    name: body.name,
    prefix: displayPrefix(key),
    scopes: body.scopes,
    expiresAt: body.expires_at ? new Date(body.expires_at) : null,
    ...toQuotaChange(body.quotas),
    digest: keyDigest(key),
    internalProjectId: body.project ? await idOfProject(deps, body.workspace_id, body.project) : null,
  };
  const details = { name: row.name, scopes: row.scopes, user_id: row.userId, project: body.project ?? null, ...toQuotaChange(body.quotas) };
  const audit = toAuditEntry(principal, { action: 'key.create', workspaceId: row.workspaceId, targetId: row.id, details });
  const stored = await insertKey(deps.db, row, audit);
  invalidateEverywhere(deps, stored.id);
  return { body: toCreatedApiKey(stored, key) };
}

async function idOfProject({ db }: RouteDeps, workspaceId: string, project: string): Promise<string> {
  const found = await findInternalProject(db, workspaceId, project);
  if (!found) throw new GatewayError('VALIDATION_ERROR', 'no such internal project', { param: 'project' });
  return found.id;
}

/**
 * Rejects a key that would grant more than its creator or its user may do: the role of the user must include keys, and a caller with only a
 * role in the workspace cannot create a key for a user with a higher role. Every role that may create keys includes all scopes, and the
 * quotas of the workspace limit those of its keys.
 * @throws GatewayError VALIDATION_ERROR, PERMISSION_DENIED
 */
async function assertMayMakeKey(db: Database, { actor }: Principal, ref: MemberRef): Promise<void> {
  const { workspaceId } = ref;
  const member = await findMember(db, ref);
  if (!member) throw new GatewayError('VALIDATION_ERROR', 'the user is not a member of the workspace', { param: 'user_id' });
  const { role, email } = member;
  if (!hasPermission({ instanceRole: null, memberships: [{ workspaceId, role }] }, 'own_keys.write', workspaceId)) {
    throw new GatewayError('VALIDATION_ERROR', 'the role of the user does not include keys', { param: 'user_id' });
  }
  // A user without an email cannot sign in; it only owns keys.
  if (email === null || canManageRole(actor?.rights ?? NO_RIGHTS, 'keys.write', workspaceId, role)) return;
  throw new GatewayError('PERMISSION_DENIED', 'a key for an owner is made by an owner', { param: 'owners.write' });
}
