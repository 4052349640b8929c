import { type Project, type ProjectSource } from '@parley/protos/routing/v1/project';
import { z } from 'zod';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Memory policies of upstream projects that a client can request. */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;
const POLICY_STATUSES = ['verified', 'emulated', 'unavailable', 'unverified'] as const;
const SOURCE_STATUSES = ['processing', 'ready', 'failed'] as const;

/** A new upstream project in responses. */
export const createdProject = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string().meta({ description: 'The value for `X-Service-Upstream-Project`.' }),
    status: z.literal('active'),
    effective_memory_policy: z
      .enum(MEMORY_POLICIES)
      .meta({ description: 'The policy in effect, which may differ from the requested one.' }),
    memory_policy_status: z.enum(POLICY_STATUSES).meta({ description: '`verified` only where the upstream confirms the policy.' }),
    upstream_account_id: z.uuid(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CreatedProject' });

/** An upstream project in lists and in the responses to changes. */
export const project = createdProject
  .extend({
    is_default: z.boolean(),
    instructions: z.string().nullable(),
    conversation_count: z.int(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Project' });

/** A file of an upstream project in responses. */
export const projectSource = z
  .object({
    id: z.string().meta({ description: 'An opaque id.' }),
    source_type: z.literal('file'),
    title: z.string().meta({ description: 'The name of the file.' }),
    status: z.enum(SOURCE_STATUSES),
    mime_type: z.string(),
    size_bytes: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ProjectSource' });

/** An upstream project with its files. */
export const projectDetail = project.extend({ sources: z.array(projectSource) }).meta({ id: 'ProjectDetail' });

/** An upstream project in responses of the control plane. */
export const adminProject = project
  .extend({ bound: z.boolean().meta({ description: 'Whether the workspace may select it.' }) })
  .meta({ id: 'AdminProject' });

/** Converts a new upstream project to its JSON form. */
export function toCreatedProject(from: Project): z.input<typeof createdProject> {
  return {
    id: from.id,
    name: from.name,
    slug: from.slug,
    status: 'active',
    effective_memory_policy: toKnownValue(MEMORY_POLICIES, from.effectiveMemoryPolicy, 'provider_default'),
    memory_policy_status: toKnownValue(POLICY_STATUSES, from.memoryPolicyStatus, 'unverified'),
    upstream_account_id: from.upstreamAccountId,
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
  };
}

/** Converts an upstream project to its JSON form. */
export function toProject(from: Project): z.input<typeof project> {
  const created = toCreatedProject(from);
  return {
    ...created,
    is_default: from.isDefault,
    instructions: from.instructions || null,
    conversation_count: from.conversationCount,
    updated_at: from.updatedAt ? toTimestamp(from.updatedAt) : created.created_at,
  };
}

/** Converts an upstream project with its files to its JSON form. */
export function toProjectDetail(from: Project): z.input<typeof projectDetail> {
  return { ...toProject(from), sources: from.sources.map(toProjectSource) };
}

/** Converts an upstream project to its JSON form for the control plane. */
export function toAdminProject(from: Project): z.input<typeof adminProject> {
  return { ...toProject(from), bound: from.bound };
}

/** Converts a file of a project to its JSON form. */
export function toProjectSource(from: ProjectSource): z.input<typeof projectSource> {
  return {
    id: from.id,
    source_type: 'file',
    title: from.title,
    status: toKnownValue(SOURCE_STATUSES, from.status, 'processing'),
    mime_type: from.mimeType,
    size_bytes: from.sizeBytes,
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
  };
}
