import { z } from 'zod';

const endpoints = z.record(z.string(), z.string()).meta({ description: 'Name of the operation to its method and path.' });
/** The reason why a capability is not enabled. */
export const capabilityReason = z.enum(['no_connected_account', 'upstream_not_authorized', 'account_disabled']);

const flags = { enabled: z.boolean(), supported: z.boolean(), reason: capabilityReason.optional() };

const chat = z.object({
  ...flags,
  endpoint: z.string(),
  openai_compatible: z.boolean(),
  streaming: z.boolean(),
  features: z.object({
    text: z.boolean(),
    images: z.boolean(),
    conversation_files: z.boolean(),
    conversation_continuation: z.boolean(),
    projects: z.boolean(),
    project_files: z.boolean(),
    multi_account_routing: z.boolean(),
  }),
});

const audio = z.object({
  ...flags,
  endpoint: z.string(),
  provider: z.string().nullable().meta({ description: 'The one that is used when a request names none.' }),
});

const capabilities = z.object({
  chat,
  conversations: z.object({
    ...flags,
    endpoints,
    auto_create: z.boolean(),
    sticky_binding: z.boolean(),
    upstream_continuity: z.boolean(),
  }),
  projects: z.object({ ...flags, endpoints, memory_policies: z.array(z.string()) }),
  files: z.object(flags),
  images: z.object({
    ...flags,
    endpoint: z.string(),
    state: z.enum(['unknown', 'unavailable']),
    verified: z.literal(false),
    error_code: z.literal('IMAGE_GENERATION_UNAVAILABLE'),
    retryable: z.boolean(),
    note: z.string(),
  }),
  audio: z.object({ transcription: audio, speech_generation: audio }),
  models: z.object({ enabled: z.boolean(), endpoint: z.string() }),
  usage: z.object({ enabled: z.boolean(), endpoint: z.string(), periods: z.array(z.string()), scope: z.string() }),
  project_files: z.object(flags),
  actions: z.object({ ...flags, endpoints }),
});

/** The capability manifest: which features the gateway supports and the workspace can use. */
export const capabilityManifest = z
  .object({
    platform: z.string(),
    api_version: z.literal('v1'),
    base_url: z.string(),
    openapi_url: z.string(),
    docs_url: z.string(),
    capabilities,
    providers: z.record(z.string(), z.object({ connected: z.boolean(), supports: z.array(z.string()) })),
    connections: z.object({ endpoint: z.string() }),
    authentication: z.object({ type: z.literal('bearer'), header: z.string(), key_prefix: z.string() }),
    error_format: z.object({ envelope: z.string() }),
  })
  .meta({ id: 'CapabilityManifest', description: '`supported` speaks of the platform, `enabled` of the calling workspace.' });
