import type { PoolClient } from 'pg';
import { type OutboxEvent } from '../domain/asset-event.ts';

/** Inserts events into the outbox, one row each. */
export async function insertOutboxEvents(client: PoolClient, events: readonly OutboxEvent[]): Promise<void> {
  await client.query('INSERT INTO outbox (id, subject, payload) SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[])', [
    events.map(({ id }) => id),
    events.map(({ subject }) => subject),
    events.map(({ payload }) => Buffer.from(payload)),
  ]);
}
