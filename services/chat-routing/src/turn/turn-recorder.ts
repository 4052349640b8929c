import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { toWireError } from '@parley/kit/rpc/grpc-status';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { NOOP_SPAN } from '@parley/kit/telemetry/span';
import {
  type BeginTurn,
  type ConversationServiceService,
  type EndTurn,
  type MoveTurn,
  type RecordRequest,
  type RecordResponse,
  type TurnBegun,
} from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { isConversationNotFound, isOutcomeUncertain, toClientError } from '../conversation/conversation-errors.ts';
import { LARGE_MESSAGES_LENGTH, getMessagesLength } from '../domain/message-size.ts';
import { type TurnCaller } from './turn-caller.ts';
import { TurnEndQueue } from './turn-end-queue.ts';

/** Timeout of a commit in milliseconds; after it the client gets SERVICE_UNAVAILABLE. */
const COMMIT_MS = 2_000;
/** Bytes of a large turn that a slow machine commits per millisecond. */
const BYTES_PER_MS = 4_096;
/** Additional timeout for a large turn, which may queue behind other large turns. */
const LARGE_QUEUE_MS = 5_000;
/** Pauses in milliseconds between retries of an end whose start is not found. */
const HELD_MS = [20, 80, 240];
/** First and longest pause in milliseconds between retries of an end while the conversation service is unavailable. */
const AWAY_MS = { first: 100, most: 1_000 };

const OWN_WORK: TurnCaller = { caller: SYSTEM_CALLER, span: NOOP_SPAN };

/** Writes turns to the conversation service. An outcome that cannot be written is retried until it can, so that every begun turn ends. */
export class TurnRecorder {
  readonly #conversation: Stub<typeof ConversationServiceService>;
  readonly #runnerId: string;
  readonly #late: TurnEndQueue;
  /** Aborted when calls must no longer wait for an unavailable conversation service. */
  readonly #hurry = new AbortController();

  constructor(conversation: Stub<typeof ConversationServiceService>, runnerId: string, log: Logger) {
    this.#conversation = conversation;
    this.#runnerId = runnerId;
    this.#late = new TurnEndQueue((turn, onBehalf) => this.#end(turn, onBehalf), log);
  }

  /** Commits the start of a turn. Throws SERVICE_UNAVAILABLE when the commit is uncertain, and the conversation service's rejections. */
  async begin(turn: Omit<BeginTurn, 'runnerId'>, onBehalf: TurnCaller): Promise<TurnBegun> {
    const value = this.#toBeginTurn(turn);
    const answer = await this.#ask({ $case: 'begin', value }, turn.turnId, onBehalf, getMessagesLength(turn.messages)).catch(
      (error: unknown) => {
        throw toClientError(error);
      },
    );
    if (answer?.$case !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
    return answer.value;
  }

  /** Detaches the idempotency key from a turn that did not complete. Throws SERVICE_UNAVAILABLE when the outcome is uncertain. */
  async releaseIdempotencyKey(turnId: string, onBehalf: TurnCaller): Promise<void> {
    await this.#conversation
      .releaseIdempotencyKey({ turnId }, { ...onBehalf, deadlineMs: COMMIT_MS, repeatable: true })
      .catch((error: unknown) => {
        throw toClientError(error);
      });
  }

  /**
   * Commits the move of a turn that no upstream has accepted to another connection; false when the turn had ended or its conversation has
   * started. Throws SERVICE_UNAVAILABLE when the outcome is uncertain.
   */
  async move(turn: MoveTurn, onBehalf: TurnCaller): Promise<boolean> {
    const answer = await this.#ask({ $case: 'move', value: turn }, turn.turnId, onBehalf, 0).catch((error: unknown) => {
      throw toClientError(error);
    });
    return answer?.$case === 'moved' && answer.value.moved;
  }

  /**
   * Commits the outcome of a turn; retries up to `waitMs` milliseconds while the conversation service is unavailable. Throws
   * SERVICE_UNAVAILABLE when that is exceeded (the turn is then recorded later as failed, which matches the error that its client got), and
   * when the reaper had already closed the turn because it considered this process dead.
   */
  async end(turn: EndTurn, onBehalf: TurnCaller, waitMs = 0): Promise<void> {
    let closed: boolean;
    try {
      closed = await this.#endInTime(turn, onBehalf, performance.now() + waitMs);
    } catch (thrown) {
      const error = toClientError(thrown);
      if (isOutcomeUncertain(error)) this.#late.add(toUnreportedEnd(turn, error), onBehalf, { mayBeMissing: true });
      throw error;
    }
    if (!closed) throw new GatewayError('SERVICE_UNAVAILABLE', 'the turn was given up before its answer arrived', { retryAfterMs: 1_000 });
  }

  /**
   * Queues the end of a turn whose start may or may not be committed. `why`: the error of the start; does nothing if it rules out a commit.
   */
  queueUncertainEnd(turn: EndTurn, why: GatewayError, onBehalf: TurnCaller): void {
    if (isOutcomeUncertain(why) || why.condition === 'INTERNAL_ERROR') this.#late.add(turn, onBehalf, { mayBeMissing: true });
  }

  /** Saves the partial text of a long answer. Errors are ignored: the next partial or the end contains the same text. */
  async savePartial(turnId: string, text: string): Promise<void> {
    await this.#ask({ $case: 'partial', value: { turnId, text } }, turnId, OWN_WORK, text.length).catch(() => undefined);
  }

  /** Stops all waiting for an unavailable conversation service; called during shutdown. */
  stopWaiting(): void {
    this.#hurry.abort();
  }

  /** Resolves when the queued outcomes are written. */
  async drain(): Promise<void> {
    await this.#late.waitUntilIdle();
  }

  close(): void {
    this.stopWaiting();
    this.#late.close();
  }

  #toBeginTurn(turn: Omit<BeginTurn, 'runnerId'>): BeginTurn {
    const { turnId, conversationId, newConversation, sequence, messages, assistantMessageId, model } = turn;
    const { idempotencyKey, requestDigest, upstreamAccountId } = turn;
    return {
      turnId,
      conversationId,
      newConversation,
      sequence,
      messages,
      assistantMessageId,
      model,
      runnerId: this.#runnerId,
      idempotencyKey,
      requestDigest,
      upstreamAccountId,
    };
  }

  /** True when the turn is recorded with this outcome; false when it had already ended with another one. */
  async #end(turn: EndTurn, onBehalf: TurnCaller): Promise<boolean> {
    const answer = await this.#ask({ $case: 'end', value: turn }, turn.turnId, onBehalf, turn.text.length);
    return answer?.$case === 'closed' && answer.value.closed;
  }

  async #endInTime(turn: EndTurn, onBehalf: TurnCaller, giveUpAt: number): Promise<boolean> {
    for (let waitMs = AWAY_MS.first; ; waitMs = Math.min(waitMs * 2, AWAY_MS.most)) {
      try {
        return await this.#endBegun(turn, onBehalf);
      } catch (error) {
        const { signal } = this.#hurry;
        if (!isOutcomeUncertain(error) || signal.aborted || performance.now() + waitMs > giveUpAt) throw error;
        await pause(waitMs * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  /** Ends a turn whose start may still be in progress on a stopping replica: retries briefly while the start is not found. */
  async #endBegun(turn: EndTurn, onBehalf: TurnCaller): Promise<boolean> {
    for (const waitMs of HELD_MS) {
      try {
        return await this.#end(turn, onBehalf);
      } catch (error) {
        if (!isConversationNotFound(error)) throw error;
        await pause(waitMs);
      }
    }
    return this.#end(turn, onBehalf).catch((error: unknown) => {
      // The start is committed, even if this replica does not find it now: report a server-side error, not a missing resource.
      throw isConversationNotFound(error)
        ? new GatewayError('SERVICE_UNAVAILABLE', 'the record does not have the turn', { cause: error })
        : error;
    });
  }

  async #ask(
    question: RecordRequest['question'],
    turnId: string,
    { caller, span }: TurnCaller,
    weight: number,
  ): Promise<RecordResponse['answer']> {
    // Start and end of a turn go to the same replica while it answers, so that an end waits for a start in progress. All requests are
    // idempotent.
    const init = { caller, span, deadlineMs: toDeadline(weight), weight, affinity: turnId, repeatable: true };
    return (await callMultiplexed(this.#conversation.record, { question }, init)).answer;
  }
}

/** The outcome to record after the client received an error about the recording: a completed turn becomes a failed one. */
function toUnreportedEnd(turn: EndTurn, error: GatewayError): EndTurn {
  return turn.status === 'completed' ? { ...turn, status: 'failed', finishReason: 'error', error: toWireError(error) } : turn;
}

/** Deadline in milliseconds for writing this many bytes. */
function toDeadline(bytes: number): number {
  return bytes > LARGE_MESSAGES_LENGTH ? COMMIT_MS + LARGE_QUEUE_MS + Math.ceil(bytes / BYTES_PER_MS) : COMMIT_MS;
}
