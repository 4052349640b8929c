import { openPool } from '@parley/kit/db/pool';
import { type Disposables } from '@parley/kit/lifecycle/disposables';
import { type ReadinessCheck } from '@parley/kit/lifecycle/readiness';
import { type Logger } from '@parley/kit/log/logger';
import { type EdgeConfig, type ThrottleClass } from '../config.ts';
import { SCHEMA } from '../store/client.ts';
import { checkThrottleCounters, sweepThrottleCounters, ThrottleCounters } from '../store/throttle-counters.ts';
import { LocalRateWindow } from './local-rate-window.ts';
import { openRedisCounters } from './open-redis-counters.ts';
import { type RateWindow } from './rate-window.ts';
import { type SharedCounterStore, SharedRateWindow } from './shared-rate-window.ts';
import { StoreCircuitBreaker } from './store-circuit-breaker.ts';

/** The counters of every throttle class, and the readiness check of their store. */
export interface ThrottleStore {
  windows: Readonly<Record<ThrottleClass, RateWindow>>;
  /** Absent when the counters are in this process. */
  check?: ReadinessCheck;
}

type Settings = Pick<EdgeConfig, 'throttle' | 'throttleStore' | 'throttleStoreWaitMs' | 'databaseUrl'>;

const CONNECTIONS = 8;
const SWEEP_MS = 300_000;
/** Ends statements that no request waits for any more, in milliseconds; a sweep may take longer than a request waits. */
const STATEMENT_MS = 1_000;

/** Opens the configured store of throttle counters. The edge also starts while the store is unavailable. */
export async function openThrottleStore(config: Settings, log: Logger, parts: Disposables): Promise<ThrottleStore> {
  const { throttle: policies, throttleStore: place } = config;
  if (place === 'memory') return { windows: windowsOf((throttleClass) => new LocalRateWindow(policies[throttleClass])) };
  const store =
    place === 'postgres' ? openCounters(config, log, parts) : await openRedisCounters(place, config.throttleStoreWaitMs, log, parts);
  const watch = new StoreCircuitBreaker(log, config.throttleStoreWaitMs);
  return {
    windows: windowsOf((throttleClass) => {
      const policy = policies[throttleClass];
      return new SharedRateWindow(store.limiter(throttleClass, policy), policy, watch);
    }),
    check: store.check,
  };
}

function windowsOf(open: (throttleClass: ThrottleClass) => RateWindow): ThrottleStore['windows'] {
  return { rate_limit: open('rate_limit'), upload_rate_limit: open('upload_rate_limit'), tts_rate_limit: open('tts_rate_limit') };
}

/** Opens a separate connection pool: a flood of requests must not delay the check of keys. */
function openCounters({ databaseUrl: url, throttleStoreWaitMs }: Settings, log: Logger, parts: Disposables): SharedCounterStore {
  const waitMs = Math.max(throttleStoreWaitMs, STATEMENT_MS);
  const options = { url, schema: SCHEMA, log, applicationName: 'edge throttle', max: CONNECTIONS, waitMs, statementTimeoutMs: waitMs };
  const pool = parts.adopt(openPool(options), (open) => open.end());
  const sweep = () =>
    void sweepThrottleCounters(pool).catch((err: unknown) => log.debug({ err }, 'old throttle counters were not deleted'));
  const timer = setInterval(sweep, SWEEP_MS).unref();
  parts.defer(() => clearInterval(timer));
  return {
    limiter: (name, { points, seconds }) => new ThrottleCounters(pool, { name, points, seconds }),
    check: () => checkThrottleCounters(pool),
  };
}
