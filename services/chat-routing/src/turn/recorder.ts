import { pause } from '@parley/kit/lifecycle/pause';
import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import {
  type BeginTurn,
  type ConversationServiceService,
  type EndTurn,
  type MoveTurn,
  type RecordRequest,
  type RecordResponse,
  type TurnBegun,
} from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { LARGE_MESSAGES, sizeOfMessages } from '../domain/message-size.ts';
import { type OnBehalf } from './on-behalf.ts';
import { PendingEnds } from './pending-ends.ts';
import { isRecordUnavailable, recordError } from '../conversation/record-error.ts';

/** How long a commit may take before the client gets SERVICE_UNAVAILABLE. */
const COMMIT_MS = 2_000;
/** Bytes of a large turn that are committed in a millisecond on a slow machine. */
const BYTES_PER_MS = 4_096;
/** How long a large turn may wait for the large ones before it. */
const LARGE_QUEUE_MS = 5_000;
/** Pauses before an end whose turn is not there is tried again. */
const HELD_MS = [20, 80, 240];

const OWN_WORK: OnBehalf = { caller: SYSTEM_CALLER, traceparent: '' };

/** Writes turns into the record. An outcome that cannot be written is tried again until it can: a begun turn always ends. */
export class Recorder {
  readonly #conversation: Stub<typeof ConversationServiceService>;
  readonly #runnerId: string;
  readonly #late: PendingEnds;

  constructor(conversation: Stub<typeof ConversationServiceService>, runnerId: string, log: Logger) {
    this.#conversation = conversation;
    this.#runnerId = runnerId;
    this.#late = new PendingEnds((turn, onBehalf) => this.#end(turn, onBehalf), log);
  }

  /** Commits the start of a turn. Throws SERVICE_UNAVAILABLE when it is not known whether it is committed, and the record's refusals. */
  async begin(turn: Omit<BeginTurn, 'runnerId'>, onBehalf: OnBehalf): Promise<TurnBegun> {
    const value = { ...turn, runnerId: this.#runnerId };
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
    await this.#conversation.releaseIdempotencyKey({ turnId }, { ...onBehalf, deadlineMs: COMMIT_MS }).catch((error: unknown) => {
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
   * Commits the outcome of a turn. Throws SERVICE_UNAVAILABLE when that takes too long (it is then written later),
   * and when the turn was closed by others before, who took this process for dead.
   */
  async end(turn: EndTurn, onBehalf: OnBehalf): Promise<void> {
    let closed: boolean;
    try {
      closed = await this.#endBegun(turn, onBehalf);
    } catch (error) {
      if (isRecordUnavailable(error)) this.#late.add(turn, onBehalf);
      throw recordError(error);
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

  /** Waits for outcomes that are still being written. */
  async drain(): Promise<void> {
    await this.#late.idle();
  }

  close(): void {
    this.#late.close();
  }

  /** True when the turn is recorded as given; false when it had ended otherwise. */
  async #end(turn: EndTurn, onBehalf: OnBehalf): Promise<boolean> {
    const answer = await this.#ask({ $case: 'end', value: turn }, turn.turnId, onBehalf, turn.text.length);
    return answer?.$case === 'closed' && answer.value.closed;
  }

  /** A start that a replica still holds when it stops is written by it within moments, while the end goes to another. */
  async #endBegun(turn: EndTurn, onBehalf: OnBehalf): Promise<boolean> {
    for (const waitMs of HELD_MS) {
      try {
        return await this.#end(turn, onBehalf);
      } catch (error) {
        if (toGatewayError(error).condition !== 'CONVERSATION_NOT_FOUND') throw error;
        await pause(waitMs);
      }
    }
    return this.#end(turn, onBehalf);
  }

  async #ask(
    question: RecordRequest['question'],
    turnId: string,
    { caller, traceparent }: OnBehalf,
    weight: number,
  ): Promise<RecordResponse['answer']> {
    // Start and end of a turn go to one replica: an end waits for a start that is still being written.
    const init = { caller, traceparent, deadlineMs: toDeadline(weight), weight, affinity: turnId };
    return (await callMultiplexed(this.#conversation.record, { question }, init)).answer;
  }
}

/** How long writing so many bytes may take, in milliseconds. */
function toDeadline(bytes: number): number {
  return bytes > LARGE_MESSAGES ? COMMIT_MS + LARGE_QUEUE_MS + Math.ceil(bytes / BYTES_PER_MS) : COMMIT_MS;
}
