import { type StoredPart } from './message-parts.ts';
import { type OutboxEvent } from './outbox-event.ts';

/** A request message of a turn. */
export interface TurnMessage {
  id: string;
  /** system | user | assistant */
  role: string;
  content: string;
  /** Null for a message of text only. */
  parts: readonly StoredPart[] | null;
}

/** The conversation that a turn starts. */
export interface NewTurnConversation {
  /** The given title, or one derived from the first user message. */
  title: string;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  model: string;
  /** The event of its creation. */
  createdEvent: OutboxEvent;
}

/** A turn to begin. Ids are UUIDs; text is storable. */
export interface NewTurn {
  turnId: string;
  conversationId: string;
  /** From 1. */
  sequence: number;
  workspaceId: string;
  keyId: string;
  userId: string | null;
  requestId: string;
  assistantMessageId: string;
  model: string;
  upstreamAccountId: string;
  runnerId: string;
  idempotencyKey: string | null;
  requestDigest: Uint8Array | null;
  /** Null for a turn that continues a conversation. */
  newConversation: NewTurnConversation | null;
  messages: readonly TurnMessage[];
}

/** Outcome of a turn. */
export type TurnOutcome = 'completed' | 'failed' | 'interrupted';

/** The recorded error of a turn. */
export interface TurnError {
  /** Name of a catalogue row. */
  condition: string;
  message: string;
  param: string | null;
  retryAfterMs: number | null;
}

/** A file or image that an upstream generated in its answer. */
export interface TurnArtifact {
  assetId: string;
  /** image | file | audio */
  assetType: string;
  fileName: string;
  mimeType: string;
  /** Id of the connection whose upstream generated it. */
  connectionId: string;
  /** Opaque reference with which the provider adapter fetches it. */
  reference: string;
}

/** The end of a turn. */
export interface TurnEnd {
  turnId: string;
  conversationId: string;
  assistantMessageId: string;
  workspaceId: string;
  keyId: string;
  status: TurnOutcome;
  text: string;
  finishReason: string;
  tokensIn: number;
  tokensOut: number;
  durationMs: number;
  /** Null unless the turn failed. */
  error: TurnError | null;
  /** The connection that answered. */
  connectionId: string;
  model: string;
  /** Opaque state of the provider adapter; empty keeps the state of an earlier turn. */
  upstreamState: string;
  /** In the order of their creation, each once. */
  artifacts: readonly TurnArtifact[];
  /** JSON text; null for a turn that its first connection answered. */
  attempts: string | null;
  /** Null without reasoning. */
  reasoning: string | null;
  times: StoredTurnTimes;
  /** Why the first connection of the turn was chosen; null when unknown. */
  routeReason: string | null;
}

/** When a turn reached its milestones, in milliseconds since its request arrived; null when it did not, or the runner reported none. */
export interface StoredTurnTimes {
  routedMs: number | null;
  committedMs: number | null;
  askedMs: number | null;
  acceptedMs: number | null;
  firstTokenMs: number | null;
  answeredMs: number | null;
}

/** The times of a turn whose runner reported none. */
export const NO_TURN_TIMES: StoredTurnTimes = {
  ...{ routedMs: null, committedMs: null, askedMs: null, acceptedMs: null, firstTokenMs: null, answeredMs: null },
};

/** Identifies a turn and its owner: only the caller that began it may change it. */
export type TurnKey = Pick<TurnEnd, 'turnId' | 'conversationId' | 'workspaceId' | 'keyId'>;

/** A move of a turn that has begun to another connection. */
export interface TurnMove extends TurnKey {
  upstreamAccountId: string;
  model: string;
}

/** True for the end of a turn that no upstream accepted: the runner then sends no finish reason. */
export function isRefusedTurn(status: string | null, finishReason: string | null): boolean {
  return status === 'failed' && finishReason === '';
}

/** True for the name of an outcome. */
export function isTurnOutcome(name: string): name is TurnOutcome {
  return name === 'completed' || name === 'failed' || name === 'interrupted';
}

/** A turn that has not ended and that no runner runs. */
export interface AbandonedTurn {
  turnId: string;
  conversationId: string;
  assistantMessageId: string;
  workspaceId: string;
  keyId: string;
  model: string;
  upstreamAccountId: string;
  /** Milliseconds since its start, by the database's clock. */
  ageMs: number;
  /** Saved partial answer. */
  text: string;
}

/** Builds the end of an abandoned turn: interrupted, with the partial answer. Its token counts are unknown. */
export function toInterruptedEnd(turn: AbandonedTurn): TurnEnd {
  const { turnId, conversationId, assistantMessageId, workspaceId, keyId, model, text } = turn;
  return {
    ...{ turnId, conversationId, assistantMessageId, workspaceId, keyId, model, text },
    status: 'interrupted',
    finishReason: '',
    tokensIn: 0,
    tokensOut: 0,
    durationMs: Math.round(turn.ageMs),
    error: null,
    connectionId: turn.upstreamAccountId,
    upstreamState: '',
    // Assets that the runner registered reach the message with their own events.
    artifacts: [],
    attempts: null,
    reasoning: null,
    times: NO_TURN_TIMES,
    routeReason: null,
  };
}
