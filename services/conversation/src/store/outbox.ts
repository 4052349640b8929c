import type { PoolClient } from 'pg';
import { type OutboxEvent } from '../domain/outbox-event.ts';

/** Inserts events into the outbox, one row per subject: concatenated batches form one valid batch. */
export async function insertEvents(client: PoolClient, events: readonly OutboxEvent[]): Promise<void> {
  const rows = new Map<string, { id: string; payloads: Uint8Array[] }>();
  for (const { id, subject, payload } of events) {
    const row = rows.get(subject);
    if (row) row.payloads.push(payload);
    else rows.set(subject, { id, payloads: [payload] });
  }
  for (const [subject, { id, payloads }] of rows) {
    await client.query('INSERT INTO outbox (id, subject, payload) VALUES ($1, $2, $3)', [id, subject, Buffer.concat(payloads)]);
  }
}
