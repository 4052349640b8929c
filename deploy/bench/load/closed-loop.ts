import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type ClosedLoopJob, type JobResult } from './protocol.ts';
import { endpointOf, renderRequest } from './request.ts';
import { Tally } from './tally.ts';

const MAX_FAILURES = 200;
const DRAIN_MS = 30_000;

/** Drives every connection flat out, one request in flight each; calls `edge` when the window opens and closes, then lets what is in flight end. */
export async function runClosedLoop(job: ClosedLoopJob, edge: (edge: 'open' | 'closed') => void): Promise<JobResult> {
  const tally = new Tally(false);
  const requests = requestsOf(job);
  const { host, port } = endpointOf(job.url);
  const connections = new Set<Connection>();
  let running = true;

  const drive = (driver: number): Promise<void> =>
    new Promise((resolve) => {
      let connection = new Connection(host, port);
      connections.add(connection);
      let turn = 0;
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
        connection.send(requests(driver, turn++), tally.exchange(job.expect, next));
      };
      next();
    });

  const drivers = Promise.all(Array.from({ length: job.connections }, (_, driver) => drive(driver)));
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

/** The request of one driver's turn: each driver has conversations of its own, because a conversation takes one turn at a time. */
function requestsOf(job: ClosedLoopJob): (driver: number, turn: number) => Buffer {
  const { conversations, connections } = job;
  if (conversations === undefined) {
    const request = renderRequest(job);
    return () => request;
  }
  if (conversations.length < connections)
    throw new Error(`${conversations.length} conversations are too few for ${connections} connections`);
  return (driver, turn) => {
    const own = Math.ceil((conversations.length - driver) / connections);
    return renderRequest(job, conversations[driver + (turn % own) * connections]);
  };
}
