import pg from 'pg';
import { type Gateway } from './parley.ts';

/** Asks the database of a gateway directly, for what has no public way yet. */
export async function query<R extends pg.QueryResultRow>(gateway: Gateway, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: gateway.run.database_url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** A turn as it was recorded. */
export interface RecordedTurn extends pg.QueryResultRow {
  status: string;
  error_condition: string | null;
  tokens_in: number;
  tokens_out: number;
  text: string;
}

/** The turns of a conversation that have ended, oldest first, with what the assistant said. */
export function endedTurns(gateway: Gateway, conversationId: string): Promise<RecordedTurn[]> {
  return query<RecordedTurn>(
    gateway,
    `SELECT e.status, e.error_condition, e.tokens_in, e.tokens_out, coalesce(m.content, '') AS text
       FROM conversation.turn_ends e
       JOIN conversation.turns t ON t.id = e.turn_id
       LEFT JOIN conversation.messages m ON m.id = t.assistant_message_id
      WHERE e.conversation_id = $1 ORDER BY t.sequence`,
    [conversationId],
  );
}
