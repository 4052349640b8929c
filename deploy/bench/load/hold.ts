import { setTimeout as delay } from 'node:timers/promises';
import { type Expectation } from '../mock/scripts.ts';
import { Connection } from './connection.ts';
import { type HoldJob, type JobResult } from './protocol.ts';
import { type Endpoint, endpointOf, RequestRenderer } from './request.ts';
import { Tally } from './tally.ts';

const OPENING_AT_ONCE = 50;
const OPEN_MS = 60_000;
const END_MS = 120_000;

/** Streams that are open at the same time. */
class OpenStreams {
  readonly #endpoint: Endpoint;
  readonly #requests: RequestRenderer;
  readonly #expect: Expectation;
  readonly #tally: Tally;
  readonly #connections: Connection[] = [];
  #opening = 0;
  #ended = 0;

  constructor(job: HoldJob, tally: Tally) {
    this.#endpoint = endpointOf(job.url);
    this.#requests = new RequestRenderer(job);
    this.#expect = job.expect;
    this.#tally = tally;
  }

  get allEnded(): boolean {
    return this.#ended === this.#connections.length;
  }

  /** Opens streams until there are `count` and each has sent its first text, a few at a time. */
  async growTo(count: number): Promise<void> {
    const giveUp = performance.now() + OPEN_MS;
    while ((this.#connections.length < count || this.#opening > 0) && performance.now() < giveUp) {
      if (this.#connections.length < count && this.#opening < OPENING_AT_ONCE) this.#open();
      else await delay(2);
    }
    if (this.#connections.length < count || this.#opening > 0) this.#tally.fail(`not ${count} streams open within ${OPEN_MS / 1000} s`);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #open(): void {
    const connection = new Connection(this.#endpoint.host, this.#endpoint.port);
    this.#connections.push(connection);
    this.#opening += 1;
    let waiting = true;
    const opened = (): void => {
      if (waiting) this.#opening -= 1;
      waiting = false;
    };
    const exchange = this.#tally.exchange(this.#expect, () => {
      opened();
      this.#ended += 1;
    });
    connection.send(this.#requests.next(), { ...exchange, onPiece: opened });
  }
}

/**
 * Opens half of the streams, calls `held`, waits for `pauseMs`, opens the other half, calls `held` again, and waits until the mock's
 * release has ended each of them.
 */
export async function runHold(job: HoldJob, held: () => void): Promise<JobResult> {
  const tally = new Tally(false);
  const streams = new OpenStreams(job, tally);
  tally.open();
  await streams.growTo(Math.floor(job.streams / 2));
  held();
  await delay(job.pauseMs);
  await streams.growTo(job.streams);
  held();
  const giveUp = performance.now() + END_MS;
  while (!streams.allEnded && performance.now() < giveUp) await delay(20);
  tally.close();
  streams.close();
  return tally.result();
}
