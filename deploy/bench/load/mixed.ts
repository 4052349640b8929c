import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, type Exchange } from './connection.ts';
import { ConversationPool } from './conversation-pool.ts';
import { IdleConnections } from './idle-connections.ts';
import { fireUntil } from './pace.ts';
import { type JobResult, type MixedJob, type MixedTurn, type Progress } from './protocol.ts';
import { conversationOf, endpointOf, RequestRenderer } from './request.ts';
import { Tally } from './tally.ts';

const MAX_IN_FLIGHT = 1_000;
const DRAIN_MS = 30_000;
const PROGRESS_MS = 1_000;
// A soak that kept every conversation would measure its own list.
const KEPT_CONVERSATIONS = 500;

/** The turns of a mixed job: which connection and which conversation each gets, and what becomes of it. */
class MixedTurns {
  readonly tally = new Tally(false);
  inFlight = 0;
  readonly #idle: IdleConnections;
  readonly #requests = new Map<MixedTurn, RequestRenderer>();
  readonly #conversations = new ConversationPool(KEPT_CONVERSATIONS);

  constructor(job: MixedJob) {
    const { url, headers, turns } = job;
    for (const turn of turns) this.#requests.set(turn, new RequestRenderer({ url, headers, body: turn.body }));
    this.#idle = new IdleConnections(endpointOf(job.url));
  }

  /** Sends one turn. */
  fire(turn: MixedTurn): void {
    if (this.inFlight >= MAX_IN_FLIGHT) {
      this.tally.fail('too many in flight');
      return;
    }
    this.inFlight += 1;
    const request = this.#requests.get(turn)?.next(turn.continued ? this.#conversations.take() : undefined);
    if (!request) throw new Error('the turn is not of this job');
    const connection = this.#idle.take();
    connection.send(request, turn.aborted ? this.#cut(turn, connection) : this.#complete(turn, connection));
  }

  progress(): Progress {
    const { answeredEver, aborted } = this.tally.result();
    return { answered: answeredEver, aborted, failed: this.tally.failed };
  }

  close(): void {
    this.#idle.close();
  }

  #complete(turn: MixedTurn, connection: Connection): Exchange {
    let conversation: string | undefined;
    const exchange = this.tally.exchange(turn.expect, (answered) => {
      this.inFlight -= 1;
      this.#idle.give(connection);
      if (answered && conversation !== undefined) this.#conversations.give(conversation);
    });
    return { ...exchange, onHead: (head) => (conversation = conversationOf(head)) };
  }

  /** Its conversation is not used again: when the gateway has recorded the end of a turn that was cut is nothing a client can see. */
  #cut(turn: MixedTurn, connection: Connection): Exchange {
    let cut = false;
    const exchange = this.tally.exchange(turn.expect, () => (this.inFlight -= 1));
    const abort = (): void => {
      this.inFlight -= 1;
      this.tally.abort();
    };
    const onPiece = (): void => {
      if (cut) return;
      cut = true;
      connection.close();
    };
    return {
      onPiece,
      onAnswer: (answer) => exchange.onAnswer(answer),
      onFailure: (reason) => (cut ? abort() : exchange.onFailure(reason)),
    };
  }
}

/** Sends the kinds of turns in rotation at a fixed rate, tells once a second how far it is, and lets what is in flight end. */
export async function runMixed(job: MixedJob, progress: (progress: Progress) => void): Promise<JobResult> {
  const turns = new MixedTurns(job);
  let next = 0;
  const fire = (): void => {
    const turn = job.turns[next++ % job.turns.length];
    if (turn) turns.fire(turn);
  };
  const telling = setInterval(() => progress(turns.progress()), PROGRESS_MS);
  turns.tally.open();
  const start = performance.now();
  await fireUntil(fire, start, start + job.windowMs, job.perSecond);
  clearInterval(telling);
  const giveUp = performance.now() + DRAIN_MS;
  while (turns.inFlight > 0 && performance.now() < giveUp) await delay(10);
  turns.tally.close();
  turns.close();
  return turns.tally.result();
}
