import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type JobResult, type OpenLoopJob } from './protocol.ts';
import { endpointOf, renderRequest } from './request.ts';
import { Tally } from './tally.ts';

const MAX_IN_FLIGHT = 1_000;
const DRAIN_MS = 30_000;
// Servers close idle connections after 5 s and more (Node's default); one that is younger cannot be closed under a request.
const MAX_IDLE_MS = 2_000;

/** Connections that are idle, the last used first, so that the few that a low rate needs stay warm. */
class IdleConnections {
  readonly #idle: { connection: Connection; since: number }[] = [];
  readonly #open: () => Connection;

  constructor(open: () => Connection) {
    this.#open = open;
  }

  take(): Connection {
    const last = this.#idle.pop();
    if (last?.connection.free && performance.now() - last.since < MAX_IDLE_MS) return last.connection;
    last?.connection.close();
    return this.#open();
  }

  give(connection: Connection): void {
    if (connection.free) this.#idle.push({ connection, since: performance.now() });
  }

  close(): void {
    for (const { connection } of this.#idle.splice(0)) connection.close();
  }
}

/** Sends requests at a fixed rate and times each from the moment it is sent. */
export async function runOpenLoop(job: OpenLoopJob, edge: (edge: 'open' | 'closed') => void): Promise<JobResult> {
  const tally = new Tally(job.expect, true);
  const request = renderRequest(job);
  const { host, port } = endpointOf(job.url);
  const idle = new IdleConnections(() => new Connection(host, port));
  let inFlight = 0;

  const fire = (): void => {
    if (inFlight >= MAX_IN_FLIGHT) {
      tally.fail('too many in flight');
      return;
    }
    inFlight += 1;
    const connection = idle.take();
    const exchange = tally.exchange(() => {
      inFlight -= 1;
      idle.give(connection);
    });
    connection.send(request, exchange);
  };

  const start = performance.now();
  await fireUntil(fire, start, start + job.warmMs, job.perSecond);
  tally.open();
  edge('open');
  await fireUntil(fire, performance.now(), start + job.warmMs + job.windowMs, job.perSecond);
  const giveUp = performance.now() + DRAIN_MS;
  // The window closes behind its last answer: cutting it at the clock would drop the slowest ones.
  while (inFlight > 0 && performance.now() < giveUp) await delay(10);
  tally.close();
  edge('closed');
  idle.close();
  return tally.result();
}

async function fireUntil(fire: () => void, from: number, until: number, perSecond: number): Promise<void> {
  const gap = 1000 / perSecond;
  for (let due = from; due < until; due += gap) {
    const wait = due - performance.now();
    if (wait > 0) await delay(wait);
    fire();
  }
}
