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
import { startSweeping } from './store/retention.ts';
import { MIGRATIONS, SCHEMA } from './store/schema.ts';

/** A usage service that runs. */
export interface UsageServer extends AsyncDisposable {
  address: Address;
  /** Not ready without its database; without the broker it still answers reports. */
  ready(): Promise<ReadinessReport>;
  /** Refuses new calls, takes no more events, and waits for those under way. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface UsageOverrides {
  log?: Logger;
  /** Stays its owner's to drain. */
  bus?: Bus;
  /** @default the process's clock */
  now?: () => Date;
}

/** Starts the usage service: migrates its schema, counts events in the background, answers reports, leases quotas. */
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
  const sweeping = parts.adopt(startSweeping({ pool, log, now }), (it) => it.stop());
  const handlers = { getUsage: getUsage(reports, now), leaseQuota: leaseQuota(pool), settleQuota: settleQuota(pool) };
  const endpoint = await serve(UsageServiceService, handlers, listen, log);
  parts.defer(() => endpoint.close());
  const readiness = readinessOf(pool, bus);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await Promise.all([endpoint.drain(), counting.stop(), sweeping.stop()]);
    },
  };
}

/** Without the broker reports are still answered, so its absence only shows. */
function readinessOf(pool: pg.Pool, bus: Bus): Readiness {
  const readiness = new Readiness();
  readiness.add('postgres', async () => void (await pool.query('SELECT 1')));
  const broker = async () => {
    if (!bus.connected) throw new Error('not connected');
  };
  readiness.add('nats', broker, { required: false });
  return readiness;
}
