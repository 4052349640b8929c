import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readChatRoutingConfig } from './config.ts';
import { startChatRouting } from './server.ts';

const log = createLogger({ service: 'chat-routing' });

await runService({
  name: 'chat-routing',
  log,
  // Read in here, so that a bad variable ends the process with one line instead of a stack.
  start: async () => {
    const config = readChatRoutingConfig(process.env);
    log.level = config.logLevel;
    return startChatRouting(config, { log });
  },
});
