import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readActionsConfig } from './config.ts';
import { startActions } from './server.ts';

const log = createLogger({ service: 'actions' });

await runService({
  name: 'actions',
  log,
  // Read in here, so that a bad variable ends the process with one line instead of a stack.
  start: async () => {
    const config = readActionsConfig(process.env);
    log.level = config.logLevel;
    return startActions(config, { log });
  },
});
