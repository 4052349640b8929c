import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The schema this service owns. */
export const SCHEMA = 'routing';

/** Opens the typed client for cold paths. */
export function openPrisma(url: string): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, options: `-c search_path=${SCHEMA}` }, { schema: SCHEMA }) });
}

export type { PrismaClient } from '../generated/prisma/client.ts';
