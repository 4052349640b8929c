import { z } from 'zod';
import { type StoredInternalProject } from '../store/internal-projects.ts';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Whether a turn that selects no upstream project may use the account's general space. */
export const INTERNAL_PROJECT_POLICIES = ['allow_general', 'require_project'] as const;

/** An internal, admin-managed project (header X-Service-Project). */
export const internalProject = z
  .object({
    id: z.uuid(),
    workspace_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    policy: z.enum(INTERNAL_PROJECT_POLICIES),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'InternalProject' });

/** Converts an internal project to its JSON form. */
export function toInternalProject(from: StoredInternalProject): z.input<typeof internalProject> {
  return {
    id: from.id,
    workspace_id: from.workspaceId,
    slug: from.slug,
    name: from.name,
    policy: toKnownValue(INTERNAL_PROJECT_POLICIES, from.policy, 'require_project'),
    created_at: toTimestamp(from.createdAt),
  };
}
