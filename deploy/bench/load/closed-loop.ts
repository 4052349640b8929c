import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type ClosedLoopJob, type JobResult } from './protocol.ts';
import { endpointOf, renderRequest } from './request.ts';
import { Tally } from './tally.ts';

const MAX_FAILURES = 200;
const DRAIN_MS = 30_000;

/** Drives every connection flat out, one request in flight each; calls `edge` when the window opens and closes, then lets what is in flight end. */
export async function runClosedLoop(job: ClosedLoopJob, edge: (edge: 'open' | 'closed') => void): Promise<JobResult> {
  const tally = new Tally(job.expect, false);
  const request = renderRequest(job);
  const { host, port } = endpointOf(job.url);
  const connections = new Set<Connection>();
  let running = true;

  const drive = (): Promise<void> =>
    new Promise((resolve) => {
      let connection = new Connection(host, port);
      connections.add(connection);
      const next = (): void => {
        if (!running || tally.failed >= MAX_FAILURES) {
          resolve();
          return;
        }
        if (!connection.free) {
          connections.delete(connection);
          connection = new Connection(host, port);
          connections.add(connection);
        }
        // Recursion is safe: the answer comes from a later read of the socket, never inside send().
        connection.send(request, tally.exchange(next));
      };
      next();
    });

  const drivers = Promise.all(Array.from({ length: job.connections }, drive));
  await delay(job.warmMs);
  tally.open();
  edge('open');
  await delay(job.windowMs);
  tally.close();
  edge('closed');
  running = false;
  await Promise.race([drivers, delay(DRAIN_MS, undefined, { ref: false })]);
  for (const connection of connections) connection.close();
  return tally.result();
}
