import { setTimeout as delay } from 'node:timers/promises';
import { type Backlog, type BacklogSource } from '../measure/backlog.ts';
import { type PutOff } from '../results.ts';
import { type StartedTarget } from './rig.ts';

/** Work comes in batches: what half a second adds does not count as a backlog. */
const BATCH_SECONDS = 0.5;
/** Messages that are always under way. */
const LEAST_MESSAGES = 10;
const POLL_MS = 250;
const PATIENCE_MS = 300_000;

interface Moment extends Backlog {
  /** Answers that the load has received from the target by then. */
  answered: number;
}

/** Measures the backlog that a target builds up under load, and how long it takes to catch up. */
export class PutOffMeter {
  readonly #target: StartedTarget;
  readonly #reader: BacklogSource | undefined;
  readonly #edges: Promise<Moment>[] = [];

  private constructor(target: StartedTarget, reader: BacklogSource | undefined) {
    this.#target = target;
    this.#reader = reader;
  }

  static async open(target: StartedTarget): Promise<PutOffMeter> {
    return new PutOffMeter(target, await target.running.openBacklog?.());
  }

  /** Call at the edges of the window; `answeredInJob` is the number of answers to this job by then. */
  edge(answeredInJob: number): void {
    if (this.#reader === undefined) return;
    this.#edges.push(this.#read(this.#reader, this.#target.answered + answeredInJob));
    // Who waits for it comes later.
    this.#edges.at(-1)?.catch(() => undefined);
  }

  /** The backlog of the window, and the time until it is worked off; undefined for a target without one. */
  async workedOff(closedAt: number, seconds: number): Promise<PutOff | undefined> {
    const [opened, closed] = await Promise.all(this.#edges);
    if (this.#reader === undefined || !opened || !closed) return undefined;
    const most = allowed(opened, closed, seconds);
    const atEnd = waiting(closed);
    const putOff = { before: waiting(opened), after: atEnd, grown: isMore(atEnd, most), workedOffMs: 0 };
    if (!putOff.grown) return putOff;
    const giveUp = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUp && isMore(waiting(await this.#read(this.#reader, this.#target.answered)), most)) await delay(POLL_MS);
    return { ...putOff, workedOffMs: performance.now() - closedAt };
  }

  async close(): Promise<void> {
    await this.#reader?.close();
  }

  async #read(reader: BacklogSource, answered: number): Promise<Moment> {
    return { ...(await reader.read()), answered };
  }
}

function waiting({ answered, countedTurns, pendingMessages, outboxRows }: Moment): PutOff['before'] {
  return { turns: answered - countedTurns, messages: pendingMessages, outboxRows };
}

function allowed(opened: Moment, closed: Moment, seconds: number): PutOff['before'] {
  const before = waiting(opened);
  const part = BATCH_SECONDS / seconds;
  const messages = Math.max(LEAST_MESSAGES, (closed.publishedMessages - opened.publishedMessages) * part);
  return {
    turns: before.turns + (closed.answered - opened.answered) * part,
    messages: before.messages + messages,
    outboxRows: before.outboxRows + messages,
  };
}

function isMore(value: PutOff['before'], most: PutOff['before']): boolean {
  return value.turns > most.turns || value.messages > most.messages || value.outboxRows > most.outboxRows;
}
