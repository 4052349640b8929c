/** A message a turn begins with. */
export interface TurnMessage {
  id: string;
  /** system | user | assistant */
  role: string;
  content: string;
  /** JSON text; null for a message of text only. */
  parts: string | null;
}

/** The conversation a turn opens. */
export interface OpenedConversation {
  title: string;
  upstreamAccountId: string;
  upstreamProjectId: string | null;
  model: string;
}

/** A turn that wants to begin. Ids are UUIDs; text is storable. */
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
  opens: OpenedConversation | null;
  messages: readonly TurnMessage[];
}

/** How a turn can end. */
export type TurnOutcome = 'completed' | 'failed' | 'interrupted';

/** An error as it is recorded with a turn. */
export interface TurnError {
  /** Name of a catalogue row. */
  condition: string;
  message: string;
  param: string | null;
  retryAfterMs: number | null;
}

/** A file or image that an upstream made in its answer. */
export interface TurnArtifact {
  assetId: string;
  /** image | file | audio */
  assetType: string;
  fileName: string;
  mimeType: string;
  /** The account that made it. */
  connectionId: string;
  /** What the adapter needs to fetch it. */
  reference: string;
}

/** The outcome of a turn. */
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
  /** Null for a turn that did not fail. */
  error: TurnError | null;
  /** The account that answered. */
  connectionId: string;
  model: string;
  /** What the adapter needs to continue; empty leaves what an earlier turn said. */
  upstreamState: string;
  /** In the order in which they were made, each once. */
  artifacts: readonly TurnArtifact[];
  /** JSON text; null for a turn that its first account answered. */
  attempts: string | null;
  /** Null for a model that told of none. */
  reasoning: string | null;
}

/** Whose turn it is: only the caller that began it may change it. */
export type TurnKey = Pick<TurnEnd, 'turnId' | 'conversationId' | 'workspaceId' | 'keyId'>;

/** A turn that has begun and is put to another account. */
export interface TurnMove extends TurnKey {
  upstreamAccountId: string;
  model: string;
}

/** True for the end of a turn that no upstream accepted: the runner names no finish reason then. */
export function isRefused(status: string | null, finishReason: string | null): boolean {
  return status === 'failed' && finishReason === '';
}

/** True for the name of an outcome. */
export function isTurnOutcome(name: string): name is TurnOutcome {
  return name === 'completed' || name === 'failed' || name === 'interrupted';
}

/** A turn that has not ended although nobody runs it any more. */
export interface AbandonedTurn {
  turnId: string;
  conversationId: string;
  assistantMessageId: string;
  workspaceId: string;
  keyId: string;
  model: string;
  upstreamAccountId: string;
  /** Since it began, by the database's clock. */
  ageMs: number;
  /** What was kept of the answer. */
  text: string;
}

/** The end of an abandoned turn: interrupted, with what was kept. What it used is not known. */
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
    // What the runner registered comes to the message with the news that it is done.
    artifacts: [],
    attempts: null,
    reasoning: null,
  };
}
