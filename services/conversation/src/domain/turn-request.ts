import { MAX_IDEMPOTENCY_KEY_LENGTH } from '@parley/kit/ids/idempotency-key';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type Error as WireError } from '@parley/protos/common/v1/error';
import {
  type BeginTurn,
  type EndTurn,
  type MoveTurn,
  type NewConversation,
  type NewMessage,
  type TurnTimes,
} from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { toConversationEvent } from './conversation-event.ts';
import { toStoredParts } from './message-parts.ts';
import { toStorableReasoning } from './reasoning.ts';
import { toStorableText } from './storable-text.ts';
import { deriveTitle } from './title.ts';
import { attemptsToJson } from './turn-attempts.ts';
import {
  NO_TURN_TIMES,
  type NewTurn,
  type NewTurnConversation,
  type StoredTurnTimes,
  type TurnArtifact,
  type TurnEnd,
  type TurnError,
  type TurnMessage,
  type TurnMove,
  isTurnOutcome,
} from './turn.ts';

const ROLES = ['system', 'user', 'assistant'];
const NO_ARTIFACTS: readonly TurnArtifact[] = [];
const MAX_INT = 2_147_483_647;
/** Accepts any word, so that reasons of a later release are kept. */
const ROUTE_REASON = /^[a-z_]{1,32}$/;

/**
 * Validates a request to begin a turn, so that the database accepts it. `at` is the database's time.
 * @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export function toNewTurn(question: BeginTurn, caller: Caller, at: Date): NewTurn {
  const { sequence, idempotencyKey } = question;
  const { workspaceId, keyId } = requireCallerKey(caller);
  const { newConversation } = question;
  if (sequence < 1 || sequence > MAX_INT || (newConversation && sequence !== 1)) throw invalid('sequence', 'is out of range');
  if (idempotencyKey.length > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw invalid('Idempotency-Key', `is longer than ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`);
  const conversationId = requireUuid('conversation_id', question.conversationId);
  const userId = isUuid(caller.userId) ? caller.userId : null;
  const messages = question.messages.map(toTurnMessage);
  return {
    turnId: requireUuid('turn_id', question.turnId),
    conversationId,
    assistantMessageId: requireUuid('assistant_message_id', question.assistantMessageId),
    runnerId: requireUuid('runner_id', question.runnerId),
    sequence,
    newConversation: newConversation
      ? toOpenedConversation(newConversation, messages, { id: conversationId, workspaceId, keyId, userId }, at)
      : null,
    workspaceId,
    keyId,
    userId,
    requestId: toStorableText(caller.requestId),
    model: toStorableText(question.model),
    upstreamAccountId: toStorableText(question.upstreamAccountId),
    idempotencyKey: toStorableText(idempotencyKey) || null,
    requestDigest: question.requestDigest.length > 0 ? question.requestDigest : null,
    messages,
  };
}

/**
 * Validates the reported end of a turn.
 *
 * @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export function toTurnEnd(question: EndTurn, caller: Caller): TurnEnd {
  const { status } = question;
  const { workspaceId, keyId } = requireCallerKey(caller);
  if (!isTurnOutcome(status)) throw invalid('status', 'is not an outcome');
  return {
    turnId: requireUuid('turn_id', question.turnId),
    conversationId: requireUuid('conversation_id', question.conversationId),
    assistantMessageId: requireUuid('assistant_message_id', question.assistantMessageId),
    status,
    workspaceId,
    keyId,
    text: toStorableText(question.text),
    finishReason: toStorableText(question.finishReason),
    tokensIn: Math.min(question.tokensIn, MAX_INT),
    tokensOut: Math.min(question.tokensOut, MAX_INT),
    durationMs: Math.min(question.durationMs, MAX_INT),
    error: question.error ? toTurnError(question.error) : null,
    connectionId: toStorableText(question.connectionId),
    model: toStorableText(question.model),
    upstreamState: toStorableText(question.upstreamState),
    artifacts: toTurnArtifacts(question.artifacts),
    attempts: attemptsToJson(question.attempts),
    reasoning: toStorableReasoning(question.reasoning),
    times: question.times ? toStoredTimes(question.times) : NO_TURN_TIMES,
    routeReason: question.routeReason && ROUTE_REASON.test(question.routeReason) ? question.routeReason : null,
  };
}

/**
 * Validates a request to move a turn to another connection.
 *
 * @throws VALIDATION_ERROR naming the field; CONVERSATION_ACCESS_DENIED for a caller without a key.
 */
export function toTurnMove(question: MoveTurn, caller: Caller): TurnMove {
  if (question.upstreamAccountId === '') throw invalid('upstream_account_id', 'is empty');
  return {
    turnId: requireUuid('turn_id', question.turnId),
    conversationId: requireUuid('conversation_id', question.conversationId),
    ...requireCallerKey(caller),
    upstreamAccountId: toStorableText(question.upstreamAccountId),
    model: toStorableText(question.model),
  };
}

/** Returns workspace and key of the caller. @throws CONVERSATION_ACCESS_DENIED for a caller without either. */
export function requireCallerKey({ workspaceId, keyId }: Caller): { workspaceId: string; keyId: string } {
  if (isUuid(workspaceId) && isUuid(keyId)) return { workspaceId, keyId };
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'only an API key of a workspace can hold a conversation');
}

/** Returns the workspace of the caller. @throws CONVERSATION_ACCESS_DENIED for a caller without one. */
export function requireCallerWorkspace({ workspaceId }: Caller): string {
  if (isUuid(workspaceId)) return workspaceId;
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'only a workspace has conversations');
}

/** Returns the UUID in lower case. @throws VALIDATION_ERROR naming the field. */
export function requireUuid(param: string, value: string): string {
  if (!isUuid(value)) throw invalid(param, 'is not a UUID');
  return value.toLowerCase();
}

function toStoredTimes(times: TurnTimes): StoredTurnTimes {
  return {
    routedMs: toInt(times.routedMs),
    committedMs: toInt(times.committedMs),
    askedMs: toInt(times.askedMs),
    acceptedMs: toInt(times.acceptedMs),
    firstTokenMs: toInt(times.firstTokenMs),
    answeredMs: toInt(times.answeredMs),
  };
}

function toInt(value: number | undefined): number | null {
  return value === undefined ? null : Math.min(value, MAX_INT);
}

function toTurnError({ condition, message, param, retryAfterMs }: WireError): TurnError {
  return {
    condition: toStorableText(condition),
    message: toStorableText(message),
    param: param === undefined ? null : toStorableText(param),
    retryAfterMs: toInt(retryAfterMs),
  };
}

function toTurnArtifacts(artifacts: readonly Artifact[]): readonly TurnArtifact[] {
  if (artifacts.length === 0) return NO_ARTIFACTS;
  const each = artifacts.map((artifact) => ({
    assetId: requireUuid('artifacts', artifact.assetId),
    assetType: toStorableText(artifact.assetType),
    fileName: toStorableText(artifact.fileName),
    mimeType: toStorableText(artifact.mimeType),
    connectionId: toStorableText(artifact.connectionId),
    reference: toStorableText(artifact.reference),
  }));
  return [...new Map(each.map((artifact) => [artifact.assetId, artifact])).values()];
}

/** Returns the title derived from the first user message of a turn; empty without one. */
export function deriveTurnTitle(messages: readonly TurnMessage[]): string {
  return deriveTitle(messages.find(({ role, content }) => role === 'user' && content !== '')?.content ?? '');
}

/** The caller that starts a conversation. */
interface Opener {
  id: string;
  workspaceId: string;
  keyId: string;
  userId: string | null;
}

function toOpenedConversation(
  { title, upstreamAccountId, upstreamProjectId, model }: NewConversation,
  messages: readonly TurnMessage[],
  { id, workspaceId, keyId, userId }: Opener,
  at: Date,
): NewTurnConversation {
  const opened = { id, workspaceId, ownerUserId: userId, status: 'active', continuityStatus: 'available' };
  return {
    title: toStorableText(title) || deriveTurnTitle(messages),
    createdEvent: toConversationEvent('created', opened, at, { keyId }),
    upstreamAccountId: toStorableText(upstreamAccountId),
    upstreamProjectId: toStorableText(upstreamProjectId) || null,
    model: toStorableText(model),
  };
}

function toTurnMessage({ id, role, text, parts, files }: NewMessage): TurnMessage {
  if (!ROLES.includes(role)) throw invalid('messages', 'have an unknown role');
  const attached = files.map((file) => ({ ...file, assetId: requireUuid('messages', file.assetId) }));
  return { id: requireUuid('messages', id), role, content: toStorableText(text), parts: toStoredParts(parts, attached) };
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', `${param} ${what}`, { param });
}
