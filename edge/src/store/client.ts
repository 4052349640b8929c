import { databaseError } from '@parley/kit/db/database-error';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** The edge's schema. */
export const SCHEMA = 'edge';

/** The generated client over the edge's own pool. */
export type Database = PrismaClient;

/** Opens the client; it connects when it is first asked. */
export function openDatabase(pool: pg.Pool): Database {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: SCHEMA }), errorFormat: 'minimal' });
}

/** The answer of the database; rejects with SERVICE_UNAVAILABLE when it cannot be asked. */
export async function asked<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    throw databaseError(error);
  }
}
