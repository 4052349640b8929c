import { z } from 'zod';
import { WORKSPACE_ROLES } from '../config/roles.ts';
import { type OwnWorkspace } from '../store/own-workspaces.ts';
import { activeStatus } from './admin.ts';
import { toTimestamp } from './time.ts';

/** A workspace in responses to one of its members, with their role. */
export const ownWorkspace = z
  .object({ id: z.uuid(), name: z.string(), status: activeStatus, role: z.enum(WORKSPACE_ROLES), created_at: z.iso.datetime() })
  .meta({ id: 'OwnWorkspace' });

/** Converts a workspace of a member to its JSON form. */
export function toOwnWorkspace({ id, name, status, role, createdAt }: OwnWorkspace): z.input<typeof ownWorkspace> {
  return { id, name, status: status as z.input<typeof activeStatus>, role, created_at: toTimestamp(createdAt) };
}
