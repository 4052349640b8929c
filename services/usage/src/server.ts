import { type Bus, type BusOptions, connectBus } from '@parley/kit/bus/bus';
import { migrate } from '@parley/kit/db/migrate';
import { openPool } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import { type UsageConfig } from './config.ts';
import { consumeUsageEvents } from './events/usage-events.ts';
import { getUsage } from './handlers/get-usage.ts';
import { openReports } from './store/reports.ts';
import { startSweeping } from './store/retention.ts';
import { MIGRATIONS, SCHEMA } from './store/schema.ts';

/** What tests and compositions may replace. */
export interface UsageOverrides {
  /** @default the process's clock */
  now?: () => Date;
  /** @default the kit's */
  connectBus?: (options: BusOptions) => Bus;
}

/** A usage service that runs. */
export interface UsageServer {
  address: Address;
  ready(): Promise<{ ready: boolean }>;
  drain(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the usage service: migrates its schema, counts events in the background, answers reports. */
export async function startUsage(config: UsageConfig, overrides: UsageOverrides = {}): Promise<UsageServer> {
  const { now = () => new Date(), connectBus: openBus = connectBus } = overrides;
  const { databaseUrl: url, natsUrl, listen, logLevel } = config;
  const log = createLogger({ service: 'usage', level: logLevel });
  await migrate({ url, schema: SCHEMA, folder: MIGRATIONS, log });
  const pool = openPool({ url, schema: SCHEMA, log, applicationName: 'usage' });
  const reports = openReports(pool);
  const endpoint = await serve(UsageServiceService, { getUsage: getUsage(reports, now) }, listen, log);
  const bus = openBus({ url: natsUrl, name: 'usage', log });
  consumeUsageEvents({ bus, pool, log, now });
  const sweeping = startSweeping({ pool, log, now });
  let drained: Promise<void> | undefined;
  const drain = () => (drained ??= (async () => {
    await Promise.all([endpoint.drain(), bus.drain(), sweeping.stop()]);
  })());
  let closed: Promise<void> | undefined;
  return {
    address: endpoint.address,
    ready: async () => ({ ready: await pool.query('SELECT 1').then(() => true, () => false) }),
    drain,
    [Symbol.asyncDispose]: () => (closed ??= (async () => {
      await drain();
      await endpoint.close();
      await reports.close();
      await pool.end();
    })()),
  };
}
