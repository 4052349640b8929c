import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { toWire } from '@parley/kit/rpc/status';
import { NO_SPAN } from '@parley/kit/telemetry/span';
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
import { LARGE_MESSAGES, sizeOfMessages } from '../domain/message-size.ts';
import { type OnBehalf } from './on-behalf.ts';
import { PendingEnds } from './pending-ends.ts';
import { isMissing, isRecordUnavailable, recordError } from '../conversation/record-error.ts';

/** How long a commit may take before the client gets SERVICE_UNAVAILABLE. */
const COMMIT_MS = 2_000;
/** Bytes of a large turn that are committed in a millisecond on a slow machine. */
const BYTES_PER_MS = 4_096;
/** How long a large turn may wait for the large ones before it. */
const LARGE_QUEUE_MS = 5_000;
/** Pauses before an end whose turn is not there is tried again. */
const HELD_MS = [20, 80, 240];
/** Pauses before an end is tried again that the record could not take. */
const AWAY_MS = { first: 100, most: 1_000 };

const OWN_WORK: OnBehalf = { caller: SYSTEM_CALLER, span: NO_SPAN };

/** Writes turns into the record. An outcome that cannot be written is tried again until it can: a begun turn always ends. */
export class Recorder {
  readonly #conversation: Stub<typeof ConversationServiceService>;
  readonly #runnerId: string;
  readonly #late: PendingEnds;
  /** Aborts when the record may not be waited for any longer. */
  readonly #hurry = new AbortController();

  constructor(conversation: Stub<typeof ConversationServiceService>, runnerId: string, log: Logger) {
    this.#conversation = conversation;
    this.#runnerId = runnerId;
    this.#late = new PendingEnds((turn, onBehalf) => this.#end(turn, onBehalf), log);
  }

  /** Commits the start of a turn. Throws SERVICE_UNAVAILABLE when it is not known whether it is committed, and the record's refusals. */
  async begin(turn: Omit<BeginTurn, 'runnerId'>, onBehalf: OnBehalf): Promise<TurnBegun> {
    const value = this.#toBeginTurn(turn);
    const answer = await this.#ask({ $case: 'begin', value }, turn.turnId, onBehalf, sizeOfMessages(turn.messages)).catch(
      (error: unknown) => {
        throw recordError(error);
      },
    );
    if (answer?.$case !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
    return answer.value;
  }

  /** Lets an idempotency key go from a turn that did not complete. Throws SERVICE_UNAVAILABLE when that is not known. */
  async releaseKey(turnId: string, onBehalf: OnBehalf): Promise<void> {
    await this.#conversation
      .releaseIdempotencyKey({ turnId }, { ...onBehalf, deadlineMs: COMMIT_MS, repeatable: true })
      .catch((error: unknown) => {
        throw recordError(error);
      });
  }

  /**
   * Commits that a turn which no upstream has accepted is put to another account; false when it had ended, or its conversation has started.
   * Throws SERVICE_UNAVAILABLE when that is not known.
   */
  async move(turn: MoveTurn, onBehalf: OnBehalf): Promise<boolean> {
    const answer = await this.#ask({ $case: 'move', value: turn }, turn.turnId, onBehalf, 0).catch((error: unknown) => {
      throw recordError(error);
    });
    return answer?.$case === 'moved' && answer.value.moved;
  }

  /**
   * Commits the outcome of a turn; waits up to `waitMs` for a record that is away. Throws SERVICE_UNAVAILABLE when that takes too long (the turn is
   * then recorded later, as failed: what its client hears of it), and when the turn was closed by others before, who took this process for dead.
   */
  async end(turn: EndTurn, onBehalf: OnBehalf, waitMs = 0): Promise<void> {
    let closed: boolean;
    try {
      closed = await this.#endInTime(turn, onBehalf, performance.now() + waitMs);
    } catch (thrown) {
      const error = recordError(thrown);
      if (isRecordUnavailable(error)) this.#late.add(toUntoldEnd(turn, error), onBehalf, { mayBeMissing: true });
      throw error;
    }
    if (!closed) throw new GatewayError('SERVICE_UNAVAILABLE', 'the turn was given up before its answer arrived', { retryAfterMs: 1_000 });
  }

  /** Ends a turn whose start may be committed, as soon as that is known. `why`: the error of the start. */
  giveUp(turn: EndTurn, why: GatewayError, onBehalf: OnBehalf): void {
    if (isRecordUnavailable(why) || why.condition === 'INTERNAL_ERROR') this.#late.add(turn, onBehalf, { mayBeMissing: true });
  }

  /** Keeps what a long answer has so far. A partial that is lost is no loss: the next one or the end holds it too. */
  async savePartial(turnId: string, text: string): Promise<void> {
    await this.#ask({ $case: 'partial', value: { turnId, text } }, turnId, OWN_WORK, text.length).catch(() => undefined);
  }

  /** Lets no turn wait any longer for a record that is away. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** Waits for outcomes that are still being written. */
  async drain(): Promise<void> {
    await this.#late.idle();
  }

  close(): void {
    this.hurry();
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

  /** True when the turn is recorded as given; false when it had ended otherwise. */
  async #end(turn: EndTurn, onBehalf: OnBehalf): Promise<boolean> {
    const answer = await this.#ask({ $case: 'end', value: turn }, turn.turnId, onBehalf, turn.text.length);
    return answer?.$case === 'closed' && answer.value.closed;
  }

  async #endInTime(turn: EndTurn, onBehalf: OnBehalf, giveUpAt: number): Promise<boolean> {
    for (let waitMs = AWAY_MS.first; ; waitMs = Math.min(waitMs * 2, AWAY_MS.most)) {
      try {
        return await this.#endBegun(turn, onBehalf);
      } catch (error) {
        const { signal } = this.#hurry;
        if (!isRecordUnavailable(error) || signal.aborted || performance.now() + waitMs > giveUpAt) throw error;
        await pause(waitMs * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  /** A start that a replica still holds when it stops is written by it within moments, while the end goes to another. */
  async #endBegun(turn: EndTurn, onBehalf: OnBehalf): Promise<boolean> {
    for (const waitMs of HELD_MS) {
      try {
        return await this.#end(turn, onBehalf);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await pause(waitMs);
      }
    }
    return this.#end(turn, onBehalf).catch((error: unknown) => {
      // The start is committed, whatever this replica of the record or its database finds now: nothing that a client asked for is missing.
      throw isMissing(error) ? new GatewayError('SERVICE_UNAVAILABLE', 'the record does not have the turn', { cause: error }) : error;
    });
  }

  async #ask(
    question: RecordRequest['question'],
    turnId: string,
    { caller, span }: OnBehalf,
    weight: number,
  ): Promise<RecordResponse['answer']> {
    // Start and end of a turn go to one replica as long as it answers: an end waits for a start that is still being written. All of it may be asked twice.
    const init = { caller, span, deadlineMs: toDeadline(weight), weight, affinity: turnId, repeatable: true };
    return (await callMultiplexed(this.#conversation.record, { question }, init)).answer;
  }
}

/** What is recorded of a turn whose client has heard that it could not be recorded. */
function toUntoldEnd(turn: EndTurn, error: GatewayError): EndTurn {
  return turn.status === 'completed' ? { ...turn, status: 'failed', finishReason: 'error', error: toWire(error) } : turn;
}

/** How long writing so many bytes may take, in milliseconds. */
function toDeadline(bytes: number): number {
  return bytes > LARGE_MESSAGES ? COMMIT_MS + LARGE_QUEUE_MS + Math.ceil(bytes / BYTES_PER_MS) : COMMIT_MS;
}
