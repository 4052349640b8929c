import { migrateOnly } from '@parley/kit/db/migrate-only';
import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readConversationConfig } from './config.ts';
import { startConversationServer } from './server.ts';
import { MIGRATIONS, SCHEMA } from './store/database.ts';

const log = createLogger({ service: 'conversation' });
await runService({
  name: 'conversation',
  log,
  migrate: () => migrateOnly(process.env, { schema: SCHEMA, folder: MIGRATIONS }, log),
  start: async () => {
    const config = readConversationConfig(process.env);
    log.level = config.logLevel;
    return startConversationServer(config, { log });
  },
});
