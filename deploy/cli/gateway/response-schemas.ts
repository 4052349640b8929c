import { z } from 'zod';

const quotas = z.object({ requests: z.string().nullable(), tokens: z.string().nullable(), audio_seconds: z.string().nullable() });

/** How much a key or a workspace may use; null for the default. */
export type Quotas = z.infer<typeof quotas>;

/** An API key, without the key. */
export const apiKeySchema = z.looseObject({
  id: z.string(),
  workspace_id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  quotas,
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
});

/** An API key at its creation, with the key. */
export const createdApiKeySchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  key: z.string(),
});

const percentiles = z.looseObject({ count: z.number(), p50_ms: z.number(), p95_ms: z.number(), p99_ms: z.number() });

/** A usage report, by group. */
export const usageByGroupSchema = z.looseObject({
  period: z.string(),
  by: z.string(),
  groups: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string().nullable(),
      requests: z.number(),
      successful: z.number(),
      errors: z.number(),
      rate_limited: z.number(),
      tokens_in: z.number(),
      tokens_out: z.number(),
      duration: percentiles,
      first_token: percentiles,
      errors_by_code: z.array(z.looseObject({ code: z.string(), count: z.number() })),
    }),
  ),
});

export type UsageGroup = z.output<typeof usageByGroupSchema>['groups'][number];

/** A connection. */
export const connectionSchema = z.looseObject({
  id: z.string(),
  label: z.string(),
  provider: z.string(),
  status: z.string(),
  health: z.string(),
  is_default: z.boolean(),
  base_url: z.string(),
  models: z.array(z.string()),
  max_concurrency: z.number().nullable().optional(),
  pass: z.array(z.string()).default([]),
  default_model: z.string().nullable().default(null),
  aliases: z.record(z.string(), z.string()).default({}),
  resting_models: z.array(z.string()).default([]),
  reason: z.string().nullable().default(null),
  last_used_at: z.string().nullable(),
  cooldown_seconds: z.number().optional(),
});

/** A connection at its creation. */
export const createdConnectionSchema = connectionSchema.extend({
  conversations_left: z.number().default(0),
  conversations_taken: z.number().default(0),
});

/** The result of the removal of a connection: the number of its conversations, and of those that were moved. */
export const connectionRemovalSchema = z.looseObject({ conversations: z.number(), moved: z.number() });

/** The result of a test of a connection. */
export const connectionTestSchema = z.looseObject({
  ok: z.boolean(),
  code: z.string().nullable(),
  message: z.string(),
  models: z.array(z.string()),
  connection: connectionSchema.nullable(),
});

/** The result of a rotation: the number of secrets that were encrypted again. */
export const secretRotationSchema = z.looseObject({ rotated: z.number(), key_id: z.string() });

/** A route profile: a named way to choose a connection. */
export const routeProfileSchema = z.looseObject({
  slug: z.string(),
  account_labels: z.array(z.string()),
  model: z.string().nullable(),
  strategy: z.string(),
  weights: z.array(z.number()),
});

/** An upstream project as the operator sees it. */
export const projectSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  bound: z.boolean(),
  is_default: z.boolean(),
  effective_memory_policy: z.string(),
  upstream_account_id: z.string(),
});

/** An internal, admin-managed project. */
export const internalProjectSchema = z.looseObject({ slug: z.string(), name: z.string(), policy: z.string() });

/** A workspace: a tenant of the gateway. */
export const workspaceSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  max_concurrency: z.number().nullable(),
  quotas,
});

const check = z.looseObject({ ok: z.boolean(), ms: z.number(), detail: z.string().optional() });

/** The readiness of the gateway, with the result of each check. */
export const readinessSchema = z.looseObject({ status: z.string(), checks: z.record(z.string(), check) });

/** The status of the gateway. */
export const gatewayStatusSchema = z.looseObject({
  version: z.string(),
  topology: z.string(),
  instance: z.string(),
  uptime_seconds: z.number(),
  readiness: readinessSchema,
  connections: z.looseObject({ total: z.number(), by_status: z.record(z.string(), z.number()) }).nullable(),
});

/** The export of a conversation, with all its messages. */
export const conversationExportSchema = z.looseObject({
  conversation: z.looseObject({ id: z.string(), title: z.string(), model: z.string(), created_at: z.string() }),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string(), created_at: z.string(), model: z.string().nullable() })),
});

/** A conversation at its creation. */
export const createdConversationSchema = z.looseObject({ id: z.string(), title: z.string(), upstream_account_id: z.string() });

export type ConversationExport = z.output<typeof conversationExportSchema>;
export type ApiKey = z.output<typeof apiKeySchema>;
export type Project = z.output<typeof projectSchema>;
export type Connection = z.output<typeof connectionSchema>;
export type RouteProfile = z.output<typeof routeProfileSchema>;
export type ConnectionTest = z.output<typeof connectionTestSchema>;
export type Workspace = z.output<typeof workspaceSchema>;
export type Readiness = z.output<typeof readinessSchema>;

/** An action as the operator sees it. */
export const actionSchema = z.looseObject({
  slug: z.string(),
  title: z.string(),
  version: z.number(),
  status: z.string(),
  risk: z.string(),
  requires_connection: z.boolean(),
  step_count: z.number(),
});

/** The result of the validation of an action document. */
export const actionValidationSchema = z.looseObject({
  slug: z.string().nullable(),
  valid: z.boolean(),
  findings: z.array(z.looseObject({ path: z.string(), message: z.string() })),
});

/** The workspaces that take part in the beta of actions. */
export const actionCohortSchema = z.looseObject({ workspace_ids: z.array(z.string()) });

const turnConnection = z.looseObject({ id: z.string(), label: z.string().nullable() });

/** A turn as it is recorded. */
export const turnSchema = z.looseObject({
  turn_id: z.string(),
  request_id: z.string(),
  conversation_id: z.string(),
  workspace_id: z.string(),
  key_id: z.string(),
  model: z.string(),
  connection: turnConnection,
  status: z.string(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  started_at: z.string(),
  duration_ms: z.number().nullable(),
  attempts: z.array(z.looseObject({ connection: turnConnection, outcome: z.string(), upstream_message: z.string().nullable() })),
  timeline: z.array(z.looseObject({ at_ms: z.number(), event: z.string(), detail: z.string() })),
});

/** The turns of a request. */
export const requestTurnsSchema = z.looseObject({ turns: z.array(turnSchema) });

/** A page of turns. */
export const turnPageSchema = z.looseObject({ turns: z.array(turnSchema), next_cursor: z.string().nullable() });

export type Turn = z.output<typeof turnSchema>;

/** A user. */
export const userSchema = z.looseObject({
  id: z.string(),
  display_name: z.string(),
  email: z.string().nullable(),
  status: z.string(),
  instance_role: z.string().nullable(),
  requires_second_factor: z.boolean(),
  last_sign_in_at: z.string().nullable(),
});

export type User = z.output<typeof userSchema>;

/** A service account: a program that uses the control plane. */
export const serviceAccountSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  instance_role: z.string().nullable(),
  workspace_id: z.string().nullable(),
  workspace_role: z.string().nullable(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
});

export type ServiceAccount = z.output<typeof serviceAccountSchema>;

/** A service account with a new secret. */
export const serviceAccountWithSecretSchema = serviceAccountSchema.extend({ client_secret: z.string() });

/** An OpenID Connect provider. */
export const oidcProviderSchema = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  scopes: z.array(z.string()),
  group_claim: z.string().nullable(),
  role_mappings: z.array(
    z.looseObject({
      group: z.string(),
      workspace_id: z.string().optional(),
      workspace_role: z.string().optional(),
      instance_role: z.string().optional(),
    }),
  ),
  allow_sign_up: z.boolean(),
  allowed_domains: z.array(z.string()),
  status: z.string(),
  is_from_environment: z.boolean(),
});

export type OidcProvider = z.output<typeof oidcProviderSchema>;

/** The result of a test of an OpenID Connect provider. */
export const oidcProviderTestSchema = z.looseObject({
  ok: z.boolean(),
  code: z.string().nullable(),
  message: z.string(),
  keys: z.number(),
});

/** A link that is shown once. */
export const oneTimeLinkSchema = z.looseObject({ url: z.string(), expires_at: z.string() });

/** An invitation with its link. */
export const createdInvitationSchema = oneTimeLinkSchema.extend({ id: z.string(), email: z.string() });

const auditEntry = z.looseObject({
  seq: z.int(),
  at: z.string(),
  actor: z.looseObject({ kind: z.string(), id: z.string().nullable(), address: z.string().nullable() }),
  action: z.string(),
  workspace_id: z.string().nullable(),
  target_id: z.string(),
  request_id: z.string(),
  details: z.looseObject({ outcome: z.string().optional() }).default({}),
});

/** An entry of the audit log. */
export type AuditEntry = z.infer<typeof auditEntry>;

/** A page of the audit log. */
export const auditPageSchema = z.looseObject({ entries: z.array(auditEntry), next_cursor: z.string().nullable() });

/** The result of a verification of the audit log. */
export const auditVerificationSchema = z.object({
  entries: z.int(),
  problem: z.object({ seq: z.int(), problem: z.string() }).nullable(),
  head: z.object({ seq: z.int(), hash: z.string() }).nullable(),
});

/** The type of that result. */
export type AuditVerification = z.infer<typeof auditVerificationSchema>;
