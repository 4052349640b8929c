import { z } from 'zod';
import { logLevel, url } from '../config/fields.ts';
import { type Env, readConfig } from '../config/read-config.ts';
import { type Logger } from '../log/logger.ts';
import { migrate } from './migrate.ts';

/** The schema of a service and the folder of its migrations. */
export interface SchemaMigrations {
  schema: string;
  /** Holds `NNNN_name/migration.sql`. */
  folder: string | URL;
}

/** The only variables that a process needs with `PARLEY_MIGRATE=only`. */
const SCHEMA = z.object({ DATABASE_URL: url('postgres', 'postgresql'), PARLEY_LOG_LEVEL: logLevel });

/** Applies the migrations of a service and logs how many were applied. @throws ConfigError, MigrationError, SERVICE_UNAVAILABLE */
export async function migrateOnly(env: Env, migrations: SchemaMigrations, log: Logger): Promise<void> {
  const { DATABASE_URL, PARLEY_LOG_LEVEL } = readConfig(SCHEMA, env);
  log.level = PARLEY_LOG_LEVEL;
  const applied = await migrate({ url: DATABASE_URL, ...migrations, log });
  log.info({ schema: migrations.schema, applied: applied.length }, 'schema is up to date');
}
