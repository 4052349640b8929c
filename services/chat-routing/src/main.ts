import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readChatRoutingConfig } from './config.ts';
import { startChatRouting } from './server.ts';

await runService({
  name: 'chat-routing',
  log: createLogger({ service: 'chat-routing' }),
  start: () => startChatRouting(readChatRoutingConfig(process.env)),
});
