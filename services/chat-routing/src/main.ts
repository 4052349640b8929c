import { migrateOnly } from '@parley/kit/db/migrate-only';
import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readChatRoutingConfig } from './config.ts';
import { startChatRoutingServer } from './server.ts';
import { MIGRATIONS, SCHEMA } from './store/database.ts';

const log = createLogger({ service: 'chat-routing' });

await runService({
  name: 'chat-routing',
  log,
  migrate: () => migrateOnly(process.env, { schema: SCHEMA, folder: MIGRATIONS }, log),
  // The configuration is read in here, so that an invalid variable ends the process with one line instead of a stack trace.
  start: async () => {
    const config = readChatRoutingConfig(process.env);
    log.level = config.logLevel;
    return startChatRoutingServer(config, { log });
  },
});
