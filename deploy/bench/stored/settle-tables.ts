import type pg from 'pg';
import { until } from '../process/loopback.ts';

const AUTOVACUUM_MS = 60_000;

/** Brings tables that were filled to rest: statistics, visibility maps and a checkpoint come now, so that no window pays for them. */
export async function settleTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  // Autovacuum goes by counts that a session reports late: reported after the VACUUM, they would start another one inside a window.
  await client.query('SELECT pg_stat_force_next_flush()');
  await client.query(`VACUUM (ANALYZE) ${tables.join(', ')}`);
  await client.query('CHECKPOINT');
  await until(async () => {
    const { rowCount } = await client.query(`SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`);
    return rowCount === 0;
  }, AUTOVACUUM_MS);
}
