import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type Error as WireError } from '@parley/protos/common/v1/error';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type Caller } from '@parley/protos/common/v1/caller';
import {
  type BeginTurn,
  type EndTurn,
  type MoveTurn,
  type NewConversation,
  type NewMessage,
} from '@parley/protos/conversation/v1/conversation';
import { partsToJson } from './parts.ts';
import { toStorableReasoning } from './reasoning.ts';
import { toStorable } from './text.ts';
import { attemptsToJson } from './turn-attempts.ts';
import {
  type NewTurn,
  type OpenedConversation,
  type TurnArtifact,
  type TurnEnd,
  type TurnError,
  type TurnMessage,
  type TurnMove,
  isTurnOutcome,
} from './turn.ts';

const ROLES = ['system', 'user', 'assistant'];
const MAX_KEY_LENGTH = 255;
const NO_ARTIFACTS: readonly TurnArtifact[] = [];
const MAX_INT = 2_147_483_647;

/**
 * Validates a request to begin a turn, so that the database accepts it.
 * @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export function toNewTurn(question: BeginTurn, caller: Caller): NewTurn {
  const { sequence, idempotencyKey } = question;
  const owner = requireKey(caller);
  const opens = question.newConversation ? toOpenedConversation(question.newConversation) : null;
  if (sequence < 1 || sequence > MAX_INT || (opens && sequence !== 1)) throw invalid('sequence', 'is out of range');
  if (idempotencyKey.length > MAX_KEY_LENGTH) throw invalid('Idempotency-Key', `is longer than ${MAX_KEY_LENGTH} characters`);
  return {
    turnId: requireUuid('turn_id', question.turnId),
    conversationId: requireUuid('conversation_id', question.conversationId),
    assistantMessageId: requireUuid('assistant_message_id', question.assistantMessageId),
    runnerId: requireUuid('runner_id', question.runnerId),
    sequence,
    opens,
    ...owner,
    userId: isUuid(caller.userId) ? caller.userId : null,
    requestId: toStorable(caller.requestId),
    model: toStorable(question.model),
    upstreamAccountId: toStorable(question.upstreamAccountId),
    idempotencyKey: toStorable(idempotencyKey) || null,
    requestDigest: question.requestDigest.length > 0 ? question.requestDigest : null,
    messages: question.messages.map(toTurnMessage),
  };
}

/** Validates the reported end of a turn. @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key. */
export function toTurnEnd(question: EndTurn, caller: Caller): TurnEnd {
  const { status } = question;
  const owner = requireKey(caller);
  if (!isTurnOutcome(status)) throw invalid('status', 'is not an outcome');
  return {
    turnId: requireUuid('turn_id', question.turnId),
    conversationId: requireUuid('conversation_id', question.conversationId),
    assistantMessageId: requireUuid('assistant_message_id', question.assistantMessageId),
    status,
    ...owner,
    text: toStorable(question.text),
    finishReason: toStorable(question.finishReason),
    tokensIn: Math.min(question.tokensIn, MAX_INT),
    tokensOut: Math.min(question.tokensOut, MAX_INT),
    durationMs: Math.min(question.durationMs, MAX_INT),
    error: question.error ? toTurnError(question.error) : null,
    connectionId: toStorable(question.connectionId),
    model: toStorable(question.model),
    upstreamState: toStorable(question.upstreamState),
    artifacts: toTurnArtifacts(question.artifacts),
    attempts: attemptsToJson(question.attempts),
    reasoning: toStorableReasoning(question.reasoning),
  };
}

/** Validates a request to move a turn to another connection. @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key. */
export function toTurnMove(question: MoveTurn, caller: Caller): TurnMove {
  if (question.upstreamAccountId === '') throw invalid('upstream_account_id', 'is empty');
  return {
    turnId: requireUuid('turn_id', question.turnId),
    conversationId: requireUuid('conversation_id', question.conversationId),
    ...requireKey(caller),
    upstreamAccountId: toStorable(question.upstreamAccountId),
    model: toStorable(question.model),
  };
}

/** Returns workspace and key of the caller. @throws CONVERSATION_ACCESS_DENIED for a caller without either. */
export function requireKey({ workspaceId, keyId }: Caller): { workspaceId: string; keyId: string } {
  if (isUuid(workspaceId) && isUuid(keyId)) return { workspaceId, keyId };
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'only an API key of a workspace can hold a conversation');
}

/** Returns the workspace of the caller. @throws CONVERSATION_ACCESS_DENIED for a caller without one. */
export function requireWorkspace({ workspaceId }: Caller): string {
  if (isUuid(workspaceId)) return workspaceId;
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'only a workspace has conversations');
}

/** Returns the UUID in lower case. @throws VALIDATION_ERROR naming the field. */
export function requireUuid(param: string, value: string): string {
  if (!isUuid(value)) throw invalid(param, 'is not a UUID');
  return value.toLowerCase();
}

function toTurnError({ condition, message, param, retryAfterMs }: WireError): TurnError {
  return {
    condition: toStorable(condition),
    message: toStorable(message),
    param: param === undefined ? null : toStorable(param),
    retryAfterMs: retryAfterMs === undefined ? null : Math.min(retryAfterMs, MAX_INT),
  };
}

function toTurnArtifacts(artifacts: readonly Artifact[]): readonly TurnArtifact[] {
  if (artifacts.length === 0) return NO_ARTIFACTS;
  const each = artifacts.map((artifact) => ({
    assetId: requireUuid('artifacts', artifact.assetId),
    assetType: toStorable(artifact.assetType),
    fileName: toStorable(artifact.fileName),
    mimeType: toStorable(artifact.mimeType),
    connectionId: toStorable(artifact.connectionId),
    reference: toStorable(artifact.reference),
  }));
  return [...new Map(each.map((artifact) => [artifact.assetId, artifact])).values()];
}

function toOpenedConversation({ title, upstreamAccountId, upstreamProjectId, model }: NewConversation): OpenedConversation {
  return {
    title: toStorable(title),
    upstreamAccountId: toStorable(upstreamAccountId),
    upstreamProjectId: toStorable(upstreamProjectId) || null,
    model: toStorable(model),
  };
}

function toTurnMessage({ id, role, text, parts, files }: NewMessage): TurnMessage {
  if (!ROLES.includes(role)) throw invalid('messages', 'have an unknown role');
  const attached = files.map((file) => ({ ...file, assetId: requireUuid('messages', file.assetId) }));
  return { id: requireUuid('messages', id), role, content: toStorable(text), parts: partsToJson(parts, attached) };
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', `${param} ${what}`, { param });
}
