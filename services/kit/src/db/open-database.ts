import type { Pool } from 'pg';
import { openPool, type PoolOptions } from './pool.ts';

/** How a service reaches its schema. */
export interface OpenDatabase<Client> {
  /** For writes. */
  pool: Pool;
  /** For reads; over the same pool. */
  prisma: Client;
  close(): Promise<void>;
}

/** Opens the pool, and the service's own generated client over it. Opens without a database. */
export function openDatabase<Client extends { $disconnect(): Promise<void> }>(
  options: PoolOptions,
  clientOver: (pool: Pool) => Client,
): OpenDatabase<Client> {
  const pool = openPool(options);
  const prisma = clientOver(pool);
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
