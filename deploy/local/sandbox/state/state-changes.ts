import { z } from 'zod';
import { recipeSchema } from '../engine/artifacts/recipe.ts';
import { accountSchema } from '../options.ts';

/** Whose memories a conversation shares: those of its account, or only those of its project. */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;

const messageSchema = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  images: z.number().int(),
  /** Ids of attached files; absent without any. */
  files: z.array(z.string()).optional(),
  at: z.number(),
});

const artifactSchema = z.object({
  id: z.string(),
  kind: z.enum(['image', 'file']),
  name: z.string(),
  mime_type: z.string(),
  recipe: recipeSchema,
});

const memoryPolicy = z.enum(MEMORY_POLICIES);
const ticketStatus = z.enum(['open', 'closed']);
/** The idempotency key of a write, if any, and the digest of its request. */
const keyed = { key: z.string().optional(), digest: z.string() };

/** One change of state: a line of the log. */
export const stateChangeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('account'), account: accountSchema }),
  z.object({ type: z.literal('session'), token: z.string(), account: z.string(), expires_at: z.number() }),
  z.object({ type: z.literal('sessions_expired'), account: z.string() }),
  z.object({ type: z.literal('session_ended'), token: z.string() }),
  z.object({
    type: z.literal('conversation'),
    id: z.string(),
    account: z.string(),
    model: z.string(),
    title: z.string(),
    /** Id of its project; absent without one. */
    project: z.string().optional(),
    at: z.number(),
  }),
  z.object({
    type: z.literal('turn'),
    conversation: z.string(),
    client_turn_id: z.string(),
    /** Whether the turn created its conversation, so that it can be found by its account. */
    opened: z.boolean(),
    /** Model of the reply; absent in logs of older versions. */
    model: z.string().optional(),
    messages: z.array(messageSchema),
    reply: messageSchema,
    /** Artifacts of the reply; absent without any. */
    artifacts: z.array(artifactSchema).optional(),
  }),
  z.object({
    type: z.literal('finish'),
    conversation: z.string(),
    message: z.string(),
    content: z.string(),
    finish_reason: z.enum(['stop', 'length', 'stopped', 'error', 'interrupted']),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
  z.object({ type: z.literal('message'), conversation: z.string(), message: messageSchema }),
  z.object({ type: z.literal('edit'), conversation: z.string(), message: z.string(), content: z.string() }),
  z.object({ type: z.literal('status'), conversation: z.string(), status: z.enum(['active', 'deleted', 'chain_broken', 'access_lost']) }),
  z.object({
    type: z.literal('project'),
    id: z.string(),
    account: z.string(),
    name: z.string(),
    instructions: z.string(),
    memory_policy: memoryPolicy,
    at: z.number(),
  }),
  z.object({ type: z.literal('project_changed'), project: z.string(), name: z.string(), instructions: z.string() }),
  z.object({ type: z.literal('project_removed'), project: z.string() }),
  z.object({
    type: z.literal('file'),
    id: z.string(),
    account: z.string(),
    /** Id of its project; null for a file of conversations. */
    project: z.string().nullable(),
    name: z.string(),
    mime_type: z.string(),
    size: z.number().int(),
    /** Whether its processing will fail. */
    failing: z.boolean(),
    at: z.number(),
  }),
  z.object({ type: z.literal('file_removed'), file: z.string() }),
  z.object({
    type: z.literal('ticket'),
    id: z.string(),
    account: z.string(),
    title: z.string(),
    body: z.string(),
    status: ticketStatus,
    at: z.number(),
    ...keyed,
  }),
  z.object({
    type: z.literal('ticket_changed'),
    ticket: z.string(),
    title: z.string(),
    body: z.string(),
    status: ticketStatus,
    ...keyed,
  }),
  z.object({ type: z.literal('spoken'), fingerprints: z.array(z.string()), text: z.string() }),
]);

export type StateChange = z.infer<typeof stateChangeSchema>;
/** The state change of one type. */
export type StateChangeOf<T extends StateChange['type']> = Extract<StateChange, { type: T }>;
export type RecordedMessage = z.infer<typeof messageSchema>;
export type RecordedArtifact = z.infer<typeof artifactSchema>;
export type MemoryPolicy = z.infer<typeof memoryPolicy>;
