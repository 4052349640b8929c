import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type HoldJob, type JobResult } from './protocol.ts';
import { endpointOf, renderRequest } from './request.ts';
import { Tally } from './tally.ts';

const OPENING_AT_ONCE = 50;
const OPEN_MS = 60_000;
const END_MS = 120_000;

/** Opens streams until all have sent their first text, calls `held`, and waits until the mock's release has ended each of them. */
export async function runHold(job: HoldJob, held: () => void): Promise<JobResult> {
  const tally = new Tally(job.expect, false);
  const request = renderRequest(job);
  const { host, port } = endpointOf(job.url);
  const connections: Connection[] = [];
  let opening = 0;
  let ended = 0;

  tally.open();
  const openUntil = performance.now() + OPEN_MS;
  for (let started = 0; started < job.streams && performance.now() < openUntil;) {
    if (opening >= OPENING_AT_ONCE) {
      await delay(2);
      continue;
    }
    started += 1;
    opening += 1;
    connections.push(openStream(host, port));
  }
  while (opening > 0 && performance.now() < openUntil) await delay(10);
  if (opening > 0 || connections.length < job.streams) tally.fail(`not all of ${job.streams} streams opened within ${OPEN_MS / 1000} s`);
  held();
  const endUntil = performance.now() + END_MS;
  while (ended < connections.length && performance.now() < endUntil) await delay(20);
  tally.close();
  for (const connection of connections) connection.close();
  return tally.result();

  function openStream(toHost: string, toPort: number): Connection {
    const connection = new Connection(toHost, toPort);
    let waiting = true;
    const opened = (): void => {
      if (waiting) opening -= 1;
      waiting = false;
    };
    const exchange = tally.exchange(() => {
      opened();
      ended += 1;
    });
    connection.send(request, { ...exchange, onPiece: opened });
    return connection;
  }
}
