import { type Readiness } from '@parley/kit/lifecycle/readiness';
import { type Logger } from '@parley/kit/log/logger';
import { type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LastUsedRecorder } from '../keys/last-used-recorder.ts';
import { type RefusalCounter } from '../middleware/refusal-counter.ts';
import { type QuotaReserver } from '../quota/quota-reserver.ts';
import { type InFlight } from './in-flight.ts';
import { type ShutdownState } from './shutdown-state.ts';

/** Dependencies of a drain; times are in milliseconds. */
interface Drain {
  shutdownState: ShutdownState;
  readiness: Readiness;
  inFlight: InFlight;
  /** Chat answers that continue after their client has left. */
  answers: InFlight;
  server: Server;
  refusals: RefusalCounter;
  lastUsed: LastUsedRecorder;
  quotas: QuotaReserver;
  log: Logger;
  lameDuckMs: number;
  waitMs: number;
}

/**
 * Drains the edge: fails probes at once and serves new requests for `lameDuckMs`; then refuses new ones, waits up to `waitMs` for those in
 * progress, flushes the counters in memory and returns leased quotas.
 */
export async function drain({ shutdownState, readiness, inFlight, answers, server, ...rest }: Drain): Promise<void> {
  const { refusals, lastUsed, quotas, log, lameDuckMs, waitMs } = rest;
  readiness.drain();
  shutdownState.beginShutdown();
  if (lameDuckMs > 0) {
    log.info({ lameDuckMs }, 'probes fail; new requests are served a while longer');
    await sleep(lameDuckMs);
    // An idle connection is closed now, so that its client does not use it for a request that would be refused.
    server.closeIdleConnections();
  }
  shutdownState.refuseNewRequests();
  const [isIdle] = await Promise.all([inFlight.waitUntilIdle(waitMs), answers.waitUntilIdle(waitMs)]);
  if (!isIdle) log.warn({ open: inFlight.count }, 'requests did not finish in time');
  server.closeIdleConnections();
  await Promise.all([refusals.flush(), lastUsed.flush(), quotas.flush()]);
}

/** Closes the listener and every connection. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
