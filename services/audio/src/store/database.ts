import { openDatabase as openOver, type OpenDatabase } from '@parley/kit/db/open-database';
import { type Logger } from '@parley/kit/log/logger';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The schema this service owns. */
export const SCHEMA = 'audio';

/** Its migrations, found from `src` and `dist` alike. */
export const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** How the service reaches its schema. */
export type Database = OpenDatabase<PrismaClient>;

/** Opens the pool; needs no database to do so. */
export function openDatabase(url: string, log: Logger): Database {
  const options = { url, schema: SCHEMA, log, applicationName: 'audio' };
  return openOver(options, (pool) => new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }) }));
}
