import { z } from 'zod';
import { INSTANCE_ROLES, type Rights, WORKSPACE_ROLES } from '../config/roles.ts';
import { type SessionRecord } from '../store/sessions.ts';

/** The roles of a user. */
const rights = z
  .object({
    instance_role: z.enum(INSTANCE_ROLES).nullable(),
    memberships: z.array(z.object({ workspace_id: z.string(), role: z.enum(WORKSPACE_ROLES) })),
  })
  .meta({ id: 'Rights', description: 'The role for the whole gateway, and those in workspaces.' });

/** The login session of the request, in responses. */
export const currentSession = z
  .object({
    id: z.string(),
    user: z.object({ id: z.string(), display_name: z.string(), email: z.string().nullable() }),
    rights,
    method: z.enum(['password', 'passkey', 'oidc', 'setup', 'invitation']),
    is_strong: z.boolean().meta({ description: 'Two factors were shown.' }),
    second_factor_required: z.boolean().meta({ description: 'Only the set-up of a second factor is open.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    csrf_token: z.string().meta({ description: 'To be sent as `X-CSRF-Token` with every method that changes something.' }),
  })
  .meta({ id: 'CurrentSession' });

/** Converts the login session to its JSON form; `csrf` is its CSRF token. */
export function toCurrentSession(session: SessionRecord, csrf: string): z.input<typeof currentSession> {
  const { userId, displayName, email, isStrong } = session;
  return {
    id: session.sessionId,
    user: { id: userId, display_name: displayName, email },
    rights: toRights(session.rights),
    method: session.method,
    is_strong: isStrong,
    second_factor_required: session.requiresSecondFactor && !isStrong,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    csrf_token: csrf,
  };
}

/** Converts rights to their JSON form. */
function toRights({ instanceRole, memberships }: Rights): z.input<typeof rights> {
  return { instance_role: instanceRole, memberships: memberships.map(({ workspaceId, role }) => ({ workspace_id: workspaceId, role })) };
}
