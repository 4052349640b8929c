import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger } from '@parley/kit/log/logger';
import { readAudioConfig } from './config.ts';
import { startAudio } from './server.ts';

const log = createLogger({ service: 'audio' });

await runService({
  name: 'audio',
  log,
  // Read in here, so that a bad variable ends the process with one line instead of a stack.
  start: async () => {
    const config = readAudioConfig(process.env);
    log.level = config.logLevel;
    return startAudio(config, { log });
  },
});
