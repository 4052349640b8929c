import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '@parley/kit/log/logger';
import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { ask } from '@parley/kit/rpc/exchange';
import { type BeginTurn, type ConversationServiceService, type EndTurn, type TurnBegun } from '@parley/protos/conversation/v1/conversation';
import { GatewayError, toGatewayError } from '@parley/protos/errors';

/** How long a commit may take before the client hears that the gateway is unavailable. */
const COMMIT_MS = 2_000;
/** Outcomes that may wait for the database; the reaper closes what does not fit. */
const MAX_WAITING = 10_000;
const RETRY_MS = { first: 250, most: 5_000 };

/** Writes turns into the record. An outcome that cannot be written is tried again until it can: a begun turn always ends. */
export class Recorder {
  readonly #conversation: Stub<typeof ConversationServiceService>;
  readonly #runnerId: string;
  readonly #log: Logger;
  readonly #closed = new AbortController();
  readonly #late = new Set<Promise<void>>();

  constructor(conversation: Stub<typeof ConversationServiceService>, runnerId: string, log: Logger) {
    this.#conversation = conversation;
    this.#runnerId = runnerId;
    this.#log = log;
  }

  /** Commits the beginning of a turn. Throws SERVICE_UNAVAILABLE when it cannot. */
  async begin(turn: Omit<BeginTurn, 'runnerId'>, caller: Caller): Promise<TurnBegun> {
    const question = { $case: 'begin', value: { ...turn, runnerId: this.#runnerId } } as const;
    const { answer } = await ask(this.#conversation.record, { question }, { caller, deadlineMs: COMMIT_MS, weight: weigh(turn) });
    if (answer?.$case !== 'begun') throw new GatewayError('INTERNAL_ERROR', 'the record answered something else');
    return answer.value;
  }

  /**
   * Commits the outcome of a turn. Throws SERVICE_UNAVAILABLE when that takes too long (it is then written later),
   * and CONVERSATION_UPSTREAM_UNAVAILABLE when the turn had been given up before.
   */
  async end(turn: EndTurn, caller: Caller): Promise<void> {
    try {
      await this.#end(turn, caller);
    } catch (error) {
      if (toGatewayError(error).row.grpc !== UNAVAILABLE && toGatewayError(error).condition !== 'TIMEOUT') throw error;
      this.#endLater(turn, caller);
      throw new GatewayError('SERVICE_UNAVAILABLE', 'the outcome of the turn could not be recorded yet', { cause: error, retryAfterMs: 1_000 });
    }
  }

  /** Keeps what a long answer has so far. A partial that is lost is no loss: the next one or the end holds it too. */
  async savePartial(turnId: string, text: string): Promise<void> {
    const question = { $case: 'partial', value: { turnId, text } } as const;
    await ask(this.#conversation.record, { question }, { caller: SYSTEM_CALLER, deadlineMs: COMMIT_MS, weight: text.length }).catch(() => undefined);
  }

  /** Waits for outcomes that are still being written. */
  async drain(): Promise<void> {
    await Promise.all(this.#late);
  }

  close(): void {
    this.#closed.abort();
  }

  async #end(turn: EndTurn, caller: Caller): Promise<void> {
    const question = { $case: 'end', value: turn } as const;
    const { answer } = await ask(this.#conversation.record, { question }, { caller, deadlineMs: COMMIT_MS, weight: turn.text.length });
    if (answer?.$case === 'closed' && answer.value.closed) return;
    throw new GatewayError('CONVERSATION_CONTINUITY_LOST', 'the turn was given up before its answer arrived');
  }

  #endLater(turn: EndTurn, caller: Caller): void {
    if (this.#late.size >= MAX_WAITING) return;
    const writing = this.#keepTrying(turn, caller).finally(() => this.#late.delete(writing));
    this.#late.add(writing);
  }

  async #keepTrying(turn: EndTurn, caller: Caller): Promise<void> {
    for (let wait = RETRY_MS.first; !this.#closed.signal.aborted; wait = Math.min(wait * 2, RETRY_MS.most)) {
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: this.#closed.signal, ref: false }).catch(() => undefined);
      try {
        return await this.#end(turn, caller);
      } catch (err) {
        const { condition, row } = toGatewayError(err);
        if (row.grpc === UNAVAILABLE || condition === 'TIMEOUT') continue;
        this.#log.warn({ turnId: turn.turnId, err }, 'the outcome of a turn was not recorded');
        return;
      }
    }
  }
}

const UNAVAILABLE = new GatewayError('SERVICE_UNAVAILABLE', '').row.grpc;

function weigh(turn: Omit<BeginTurn, 'runnerId'>): number {
  return turn.messages.reduce((sum, { text }) => sum + text.length, 0);
}
