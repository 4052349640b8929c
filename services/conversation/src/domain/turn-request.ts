import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import type { Error as WireError } from '@parley/protos/common/v1/error';
import type { Artifact } from '@parley/protos/common/v1/artifact';
import type { Caller } from '@parley/protos/common/v1/caller';
import type { BeginTurn, EndTurn, MoveTurn, NewConversation, NewMessage } from '@parley/protos/conversation/v1/conversation';
import { partsToJson } from './parts.ts';
import { storableReasoning } from './reasoning.ts';
import { storable } from './text.ts';
import { attemptsToJson } from './turn-attempts.ts';
import type { NewTurn, OpenedConversation, TurnArtifact, TurnEnd, TurnError, TurnMessage, TurnMove } from './turn.ts';
import { isTurnOutcome } from './turn.ts';

const ROLES = ['system', 'user', 'assistant'];
const MAX_KEY_LENGTH = 255;
const NO_ARTIFACTS: readonly TurnArtifact[] = [];
const MAX_INT = 2_147_483_647;

/**
 * The turn that a caller wants to begin, checked so far that no database error can come of it alone.
 * @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export function newTurn(question: BeginTurn, caller: Caller): NewTurn {
  const { sequence, idempotencyKey } = question;
  const owner = requireKey(caller);
  const opens = question.newConversation ? openedConversation(question.newConversation) : null;
  if (sequence < 1 || sequence > MAX_INT || (opens && sequence !== 1)) throw invalid('sequence', 'is out of range');
  if (idempotencyKey.length > MAX_KEY_LENGTH) throw invalid('Idempotency-Key', `is longer than ${MAX_KEY_LENGTH} characters`);
  return {
    turnId: uuid('turn_id', question.turnId),
    conversationId: uuid('conversation_id', question.conversationId),
    assistantMessageId: uuid('assistant_message_id', question.assistantMessageId),
    runnerId: uuid('runner_id', question.runnerId),
    sequence,
    opens,
    ...owner,
    userId: isUuid(caller.userId) ? caller.userId : null,
    requestId: storable(caller.requestId),
    model: storable(question.model),
    upstreamAccountId: storable(question.upstreamAccountId),
    idempotencyKey: storable(idempotencyKey) || null,
    requestDigest: question.requestDigest.length > 0 ? question.requestDigest : null,
    messages: question.messages.map(turnMessage),
  };
}

/** The outcome that a caller reports. @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key. */
export function turnEnd(question: EndTurn, caller: Caller): TurnEnd {
  const { status } = question;
  const owner = requireKey(caller);
  if (!isTurnOutcome(status)) throw invalid('status', 'is not an outcome');
  return {
    turnId: uuid('turn_id', question.turnId),
    conversationId: uuid('conversation_id', question.conversationId),
    assistantMessageId: uuid('assistant_message_id', question.assistantMessageId),
    status,
    ...owner,
    text: storable(question.text),
    finishReason: storable(question.finishReason),
    tokensIn: Math.min(question.tokensIn, MAX_INT),
    tokensOut: Math.min(question.tokensOut, MAX_INT),
    durationMs: Math.min(question.durationMs, MAX_INT),
    error: question.error ? turnError(question.error) : null,
    connectionId: storable(question.connectionId),
    model: storable(question.model),
    upstreamState: storable(question.upstreamState),
    artifacts: turnArtifacts(question.artifacts),
    attempts: attemptsToJson(question.attempts),
    reasoning: storableReasoning(question.reasoning),
  };
}

/** The account that a caller puts a turn to. @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key. */
export function turnMove(question: MoveTurn, caller: Caller): TurnMove {
  if (question.upstreamAccountId === '') throw invalid('upstream_account_id', 'is empty');
  return {
    turnId: uuid('turn_id', question.turnId),
    conversationId: uuid('conversation_id', question.conversationId),
    ...requireKey(caller),
    upstreamAccountId: storable(question.upstreamAccountId),
    model: storable(question.model),
  };
}

/** Who a conversation would belong to. @throws CONVERSATION_ACCESS_DENIED for a caller that cannot have one. */
export function requireKey({ workspaceId, keyId }: Caller): { workspaceId: string; keyId: string } {
  if (isUuid(workspaceId) && isUuid(keyId)) return { workspaceId, keyId };
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'only an API key of a workspace can hold a conversation');
}

/** Whose conversations a caller asks for, over all keys. @throws CONVERSATION_ACCESS_DENIED for a caller without a workspace. */
export function requireWorkspace({ workspaceId }: Caller): string {
  if (isUuid(workspaceId)) return workspaceId;
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'only a workspace has conversations');
}

/** The UUID as the database spells it. @throws VALIDATION_ERROR naming the field when it is none. */
export function uuid(param: string, value: string): string {
  if (!isUuid(value)) throw invalid(param, 'is not a UUID');
  return value.toLowerCase();
}

function turnError({ condition, message, param, retryAfterMs }: WireError): TurnError {
  return {
    condition: storable(condition),
    message: storable(message),
    param: param === undefined ? null : storable(param),
    retryAfterMs: retryAfterMs === undefined ? null : Math.min(retryAfterMs, MAX_INT),
  };
}

function turnArtifacts(artifacts: readonly Artifact[]): readonly TurnArtifact[] {
  if (artifacts.length === 0) return NO_ARTIFACTS;
  const each = artifacts.map((artifact) => ({
    assetId: uuid('artifacts', artifact.assetId),
    assetType: storable(artifact.assetType),
    fileName: storable(artifact.fileName),
    mimeType: storable(artifact.mimeType),
    connectionId: storable(artifact.connectionId),
    reference: storable(artifact.reference),
  }));
  return [...new Map(each.map((artifact) => [artifact.assetId, artifact])).values()];
}

function openedConversation({ title, upstreamAccountId, upstreamProjectId, model }: NewConversation): OpenedConversation {
  return {
    title: storable(title),
    upstreamAccountId: storable(upstreamAccountId),
    upstreamProjectId: storable(upstreamProjectId) || null,
    model: storable(model),
  };
}

function turnMessage({ id, role, text, parts, files }: NewMessage): TurnMessage {
  if (!ROLES.includes(role)) throw invalid('messages', 'have an unknown role');
  const attached = files.map((file) => ({ ...file, assetId: uuid('messages', file.assetId) }));
  return { id: uuid('messages', id), role, content: storable(text), parts: partsToJson(parts, attached) };
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', `${param} ${what}`, { param });
}
