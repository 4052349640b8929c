import { z } from 'zod';
import { WORKSPACE_ROLES } from '../config/roles.ts';
import { type StoredMember } from '../store/memberships.ts';
import { activeStatus } from './admin.ts';

/** A user with their role in a workspace, in responses. */
export const member = z
  .object({
    user_id: z.uuid(),
    display_name: z.string(),
    email: z.string().nullable(),
    status: activeStatus,
    role: z.enum(WORKSPACE_ROLES),
  })
  .meta({ id: 'Member' });

/** Converts a stored member to its JSON form. */
export function toMember({ userId, displayName, email, status, role }: StoredMember): z.input<typeof member> {
  return { user_id: userId, display_name: displayName, email, status: status as z.input<typeof activeStatus>, role };
}
