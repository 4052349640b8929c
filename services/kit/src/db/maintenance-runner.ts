import type { Pool } from 'pg';
import { openPool, type PoolOptions } from './pool.ts';

/** Runs long work on a schema, in one replica at a time. */
export interface MaintenanceRunner {
  /**
   * Runs `work` under the schema's advisory lock and resolves true; resolves false without running it when another replica has the lock.
   * Statements of `work` may take up to six hours.
   */
  tryRun(work: (pool: Pool) => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
}

const LONG_MS = 6 * 3_600_000;
/** Key space of the advisory locks of this file. */
const LOCK = 1_835_101_812;

/** Opens connections for the maintenance of a schema; does not require a reachable database. */
export function openMaintenanceRunner({ url, schema, log }: Pick<PoolOptions, 'url' | 'schema' | 'log'>): MaintenanceRunner {
  const pool = openPool({ url, schema, log, applicationName: `${schema}-maintenance`, max: 2, statementTimeoutMs: LONG_MS });
  return {
    tryRun: async (work) => {
      const holder = await pool.connect();
      try {
        const { rows } = await holder.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS mine', [LOCK, schema]);
        if (rows[0]?.mine !== true) return false;
        await work(pool);
        // PostgreSQL notices a closed connection later: the lock is free before this resolves.
        await holder.query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK, schema]);
        return true;
      } finally {
        // After a failure the lock ends with its connection.
        holder.release(true);
      }
    },
    close: () => pool.end(),
  };
}
