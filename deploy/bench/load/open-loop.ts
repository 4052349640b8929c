import { setTimeout as delay } from 'node:timers/promises';
import { IdleConnections } from './idle-connections.ts';
import { fireUntil } from './pace.ts';
import { type JobResult, type OpenLoopJob } from './protocol.ts';
import { endpointOf, RequestRenderer } from './request.ts';
import { Tally } from './tally.ts';

const MAX_IN_FLIGHT = 1_000;
const DRAIN_MS = 30_000;

/** Sends requests at a fixed rate and times each from the moment it is sent. */
export async function runOpenLoop(job: OpenLoopJob, edge: (edge: 'open' | 'closed') => void): Promise<JobResult> {
  const tally = new Tally(true);
  const requests = new RequestRenderer(job);
  const idle = new IdleConnections(endpointOf(job.url));
  let inFlight = 0;

  const fire = (): void => {
    if (inFlight >= MAX_IN_FLIGHT) {
      tally.fail('too many in flight');
      return;
    }
    inFlight += 1;
    const connection = idle.take();
    const exchange = tally.exchange(job.expect, () => {
      inFlight -= 1;
      idle.give(connection);
    });
    connection.send(requests.next(), exchange);
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
