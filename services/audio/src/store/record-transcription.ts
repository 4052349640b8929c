import { transaction } from '@parley/kit/db/pool';
import { counter } from '@parley/kit/telemetry/meter';
import { type EndedTranscription, toTranscriptionEndedEvent } from '../domain/transcription.ts';
import { type Database } from './database.ts';
import { insertOutboxEvents } from './outbox.ts';
import { type Store } from './store.ts';

const TRANSCRIPTIONS = counter('parley_transcriptions_total');

/** Stores the metrics of a transcription with its event, in one transaction, and counts it. @throws SERVICE_UNAVAILABLE */
export async function recordTranscription({ database, notifyChanged }: Store, ended: EndedTranscription): Promise<void> {
  await transaction(database.pool, async (client) => {
    await client.query(
      `INSERT INTO transcriptions (id, workspace_id, key_id, provider, mime_type, size_bytes, language, duration_ms, work_ms, status,
         error_condition, conversation_id, created_at, ended_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        ...[ended.id, ended.workspaceId, ended.keyId, ended.provider, ended.mimeType, ended.sizeBytes, ended.language],
        ...[ended.durationMs, ended.workMs, ended.status, ended.errorCondition, ended.conversationId, ended.createdAt, ended.endedAt],
      ],
    );
    await insertOutboxEvents(client, [toTranscriptionEndedEvent(ended)]);
  });
  notifyChanged([]);
  // A transcription that ended before an engine was chosen has no provider.
  TRANSCRIPTIONS.add({ provider: ended.provider || 'none', status: ended.status });
}

/** UUIDv7s begin with their creation time, so old rows are found by id. */
const OLD = `(lpad(to_hex((extract(epoch FROM now() - interval '30 days') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** Deletes the metrics of transcriptions that are older than 30 days. */
export async function deleteOldTranscriptions({ pool }: Database): Promise<void> {
  await pool.query(`DELETE FROM transcriptions WHERE id < ${OLD}`);
}
