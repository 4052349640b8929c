import { migrateOnly } from '@parley/kit/db/migrate-only';
import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readActionsConfig } from './config.ts';
import { startActionsServer } from './server.ts';
import { MIGRATIONS, SCHEMA } from './store/database.ts';

const log = createLogger({ service: 'actions' });

await runService({
  name: 'actions',
  log,
  migrate: () => migrateOnly(process.env, { schema: SCHEMA, folder: MIGRATIONS }, log),
  // Reads the configuration here, so that an invalid variable ends the process with one line instead of a stack trace.
  start: async () => {
    const config = readActionsConfig(process.env);
    log.level = config.logLevel;
    return startActionsServer(config, { log });
  },
});
