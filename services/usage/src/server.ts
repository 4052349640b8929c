import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { migrate } from '@parley/kit/db/migrate';
import { openPool } from '@parley/kit/db/pool';
import { type Disposables, startAll } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import type pg from 'pg';
import { type UsageConfig } from './config.ts';
import { consumeUsageEvents } from './events/usage-events.ts';
import { getUsage } from './handlers/get-usage.ts';
import { leaseQuota } from './handlers/lease-quota.ts';
import { settleQuota } from './handlers/settle-quota.ts';
import { openReports } from './store/reports.ts';
import { startRetention } from './store/retention.ts';
import { MIGRATIONS, SCHEMA } from './store/schema.ts';

/** A running usage service. */
export interface UsageServer extends AsyncDisposable {
  address: Address;
  /** Requires the database; without the broker the service still serves reports. */
  ready(): Promise<ReadinessReport>;
  /** Rejects new calls, stops consuming events, and waits for those in progress. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface UsageOverrides {
  log?: Logger;
  /** The caller keeps ownership: the service does not drain it. */
  bus?: Bus;
  /** @default the clock of the process */
  now?: () => Date;
}

/** Starts the usage service: migrates its schema, counts events in the background, serves reports, leases quotas. */
export function startUsage(config: UsageConfig, overrides: UsageOverrides = {}): Promise<UsageServer> {
  return startAll((parts) => start(config, overrides, parts));
}

async function start(
  config: UsageConfig,
  overrides: UsageOverrides,
  parts: Disposables,
): Promise<Omit<UsageServer, keyof AsyncDisposable>> {
  const { databaseUrl: url, natsUrl, listen, logLevel } = config;
  const { now = () => new Date(), log = createLogger({ service: 'usage', level: logLevel }) } = overrides;
  await migrate({ url, schema: SCHEMA, folder: MIGRATIONS, log });
  const pool = parts.adopt(openPool({ url, schema: SCHEMA, log, applicationName: 'usage' }), (it) => it.end());
  const reports = parts.adopt(openReports(pool), (it) => it.close());
  const bus = overrides.bus ?? parts.adopt(connectBus({ url: natsUrl, name: 'usage', log }), (it) => it.drain());
  const counting = parts.adopt(consumeUsageEvents({ bus, pool, log, now }), (it) => it.stop());
  const retention = parts.adopt(startRetention({ pool, log, now }), (it) => it.stop());
  const handlers = { getUsage: getUsage(reports, now), leaseQuota: leaseQuota(pool), settleQuota: settleQuota(pool) };
  const endpoint = await serve(UsageServiceService, handlers, listen, log);
  parts.defer(() => endpoint.close());
  const readiness = createReadiness(pool, bus);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await Promise.all([endpoint.drain(), counting.stop(), retention.stop()]);
    },
  };
}

/** The broker is optional: without it the service still serves reports. */
function createReadiness(pool: pg.Pool, bus: Bus): Readiness {
  const readiness = new Readiness();
  readiness.add('postgres', async () => void (await pool.query('SELECT 1')));
  const broker = async () => {
    if (!bus.connected) throw new Error('not connected');
  };
  readiness.add('nats', broker, { required: false });
  return readiness;
}
