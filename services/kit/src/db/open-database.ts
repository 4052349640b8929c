import type { Pool } from 'pg';
import { openPool, type PoolOptions } from './pool.ts';

/** How a service reaches its schema. */
export interface OpenDatabase<Client> {
  /** For what changes something. */
  pool: Pool;
  /** For what only reads; over the same pool. */
  prisma: Client;
  close(): Promise<void>;
}

/** Opens the pool, and the service's own generated client over it; needs no database to do so. */
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
