import { type Server } from 'node:http';
import { type Readiness } from '@parley/kit/lifecycle/readiness';
import { type Logger } from '@parley/kit/log/logger';
import { type LastUsed } from '../keys/last-used.ts';
import { type RefusalCounter } from '../middleware/refusal-counter.ts';
import { type QuotaKeeper } from '../quota/quota-keeper.ts';
import { type InFlight } from './in-flight.ts';

/** Dependencies of a drain. */
interface Drain {
  draining: AbortController;
  readiness: Readiness;
  inFlight: InFlight;
  /** Answers that go on without a client. */
  answers: InFlight;
  server: Server;
  refusals: RefusalCounter;
  lastUsed: LastUsed;
  quotas: QuotaKeeper;
  log: Logger;
  waitMs: number;
}

/** Refuses new requests, waits up to `waitMs` for those in progress, flushes the counters in memory and gives back leased quotas. */
export async function drain({
  draining,
  readiness,
  inFlight,
  answers,
  server,
  refusals,
  lastUsed,
  quotas,
  log,
  waitMs,
}: Drain): Promise<void> {
  readiness.drain();
  draining.abort();
  const [isIdle] = await Promise.all([inFlight.idle(waitMs), answers.idle(waitMs)]);
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
