import type { PoolClient } from 'pg';
import { type OutboxEvent } from '../domain/run-event.ts';

/** Inserts an event into the outbox. */
export async function insertOutboxEvent(client: PoolClient, { id, subject, payload }: OutboxEvent): Promise<void> {
  await client.query('INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)', [id, subject, Buffer.from(payload)]);
}
