import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { MEMORY_POLICIES } from '../../domain/memory-policy.ts';
import { withUpstreamFacts } from '../mask-upstream-message.ts';
import { toStatusError } from '../status-error.ts';
import { createStateParser } from '../upstream-state.ts';

/**
 * State of a conversation at the sandbox: its id and the parent of the next message. Stored as the opaque `upstreamState` of its binding.
 */
const upstreamState = z.object({ conversation: z.string(), message: z.string() });

/** A parsed state of a conversation at the sandbox. */
export type UpstreamState = z.infer<typeof upstreamState>;

/** Parses the state of a conversation; undefined for an empty one. Throws CONVERSATION_CONTINUITY_LOST for a state of another adapter. */
export const parseState = createStateParser(upstreamState);

/** Schemas of the stream events of an answer, by name. */
export const eventSchemas = {
  accepted: z.object({ conversation_id: z.string(), message_id: z.string() }),
  delta: z.object({ text: z.string() }),
  done: z.object({
    message_id: z.string(),
    finish_reason: z.string(),
    usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).optional(),
  }),
  artifact: z.object({
    id: z.string().min(1).max(512),
    kind: z.enum(['image', 'file', 'audio']),
    name: z.string().max(1_024),
    mime_type: z.string().max(256),
  }),
  error: z.object({ code: z.string() }),
};

/** Response to an upload. */
export const uploadedFileSchema = z.object({ id: z.string().min(1), status: z.enum(['processing', 'ready', 'failed']) });

/** A project as the sandbox returns it. */
export const projectSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  instructions: z.string().nullish(),
  memory_policy: z.enum(MEMORY_POLICIES),
});

/** The files of a project with their statuses. */
export const projectFilesSchema = z.object({ files: z.array(uploadedFileSchema) });

/** The current branch of a conversation, oldest message first. */
export const branchSchema = z.object({
  current_node: z.string().nullable(),
  messages: z.array(
    z.object({
      id: z.string(),
      role: z.enum(['system', 'user', 'assistant']),
      content: z.string(),
      client_turn_id: z.string().nullish(),
      model: z.string().nullish(),
      /** Null while the message is being written. */
      finish_reason: z.string().nullish(),
      created_at: z.iso.datetime(),
    }),
  ),
});

const refusal = z.object({ error: z.object({ code: z.string() }) });

/** Returns the code in the body of an error response; empty without one. */
export function readErrorCode(body: unknown): string {
  return refusal.safeParse(body).data?.error.code ?? '';
}

/** Converts an error code of the sandbox to a coded error; undefined for unknown codes. */
export function findErrorByCode(code: string): GatewayError | undefined {
  switch (code) {
    case 'session_expired':
    case 'bad_credentials':
      return new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the session of this account has expired upstream');
    case 'conversation_not_found':
    case 'conversation_deleted':
      return new GatewayError('CONVERSATION_DELETED_UPSTREAM', 'the conversation was deleted upstream');
    case 'project_not_found':
      return new GatewayError('CONVERSATION_PROJECT_UNAVAILABLE', 'the project was deleted upstream');
    case 'conversation_access_lost':
      return new GatewayError('CONVERSATION_ACCESS_LOST', 'the account lost access to the conversation upstream');
    case 'parent_not_found':
      return new GatewayError('CONVERSATION_CONTINUITY_LOST', 'the chain of messages is broken upstream');
    case 'file_not_found':
    case 'artifact_not_found':
      return new GatewayError('ASSET_NOT_FOUND', 'the account no longer has the file');
    case 'artifact_not_ready':
      return new GatewayError('ASSET_NOT_READY', 'the account is not done with the file', { retryAfterMs: 1_000 });
    case 'unsupported_file_type':
      return new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account does not take files of this type');
    case 'image_generation_unavailable':
      return new GatewayError('IMAGE_GENERATION_UNAVAILABLE', 'the account cannot generate images');
    case 'upgrade_required':
      return new GatewayError('UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'the plan of this account does not allow this');
    case 'rate_limited':
      return new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits this account');
    default:
      return undefined;
  }
}

/** Converts an error response to a coded error, by the code in its body, else by its status. */
export function toResponseError(status: number, body?: unknown, retryAfter?: string | string[], secret?: string): GatewayError {
  const parsed = refusal.safeParse(body);
  const byStatus = toStatusError(status, body, retryAfter, secret);
  const byCode = parsed.success ? findErrorByCode(parsed.data.error.code) : undefined;
  // The sandbox's code proves that the session has expired, which a status alone does not.
  if (byCode?.condition === 'ACCOUNT_REAUTH_REQUIRED') return byCode;
  return byCode && byCode.condition !== byStatus.condition ? withUpstreamFacts(byCode, byStatus.upstream) : byStatus;
}
