import { listen, logLevel } from '@parley/kit/config/fields';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type Listen } from '@parley/kit/rpc/serve';
import { z } from 'zod';

/** What the actions service needs to run. */
export interface ActionsConfig {
  /** Where to answer calls: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: Listen;
  /** @default 'info' */
  logLevel: LogLevel;
}

const SCHEMA = z.object({ PARLEY_LISTEN: listen, PARLEY_LOG_LEVEL: logLevel });

/** The configuration of a process of its own, from its environment. @throws ConfigError */
export function readActionsConfig(env: Env): ActionsConfig {
  const { PARLEY_LISTEN, PARLEY_LOG_LEVEL } = readConfig(SCHEMA, env);
  return { listen: PARLEY_LISTEN, logLevel: PARLEY_LOG_LEVEL };
}
