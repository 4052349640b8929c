import { migrateOnly } from '@parley/kit/db/migrate-only';
import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readEdgeConfig } from './config.ts';
import { startEdgeServer } from './server.ts';
import { MIGRATIONS, SCHEMA } from './store/client.ts';

const log = createLogger({ service: 'edge' });

await runService({
  name: 'edge',
  log,
  migrate: () => migrateOnly(process.env, { schema: SCHEMA, folder: MIGRATIONS }, log),
  // The configuration is read here, so that an invalid variable ends the process with one line instead of a stack trace.
  start: async () => {
    const config = readEdgeConfig(process.env);
    log.level = config.logLevel;
    return startEdgeServer(config, { log });
  },
});
