import { type Caller } from '@parley/kit/rpc/call';
import type pg from 'pg';

/** Messages of a conversation. */
const LENGTH = 5;
/** Conversations that one statement writes. */
const BATCH = 2_000;
const WORDS = 20_000;

/** 120 words from a vocabulary, with frequencies as in texts (about 850 characters). */
const TEXT = `(SELECT string_agg(w.words[1 + k * 0 + (${WORDS} ^ random())::int % ${WORDS}], ' ') FROM generate_series(1, 120 + x * 0) k)`;

const FILL = `
WITH w AS (SELECT array_agg(left(md5(n::text), 3 + n % 8) ORDER BY n) AS words FROM generate_series(1, ${WORDS}) n), c AS (
  INSERT INTO conversations (id, workspace_id, owner_key_id, title, upstream_account_id, model, message_count, last_message_at)
  SELECT gen_random_uuid(), $1, $2, 'Title ' || n, 'account-1', 'auto', ${LENGTH}, now() - n * interval '1 second' - interval '1 hour'
  FROM generate_series($3::int, $4::int) n RETURNING id, title
)
INSERT INTO messages (id, conversation_id, sequence, position, role, content)
SELECT gen_random_uuid(), c.id, 0, x, 'user', ${TEXT}
  || CASE WHEN x = 1 THEN ' common' ELSE '' END
  || CASE WHEN x = 2 AND c.title LIKE '%00' THEN ' seldom Zürich_1' ELSE '' END
  || CASE WHEN x = 3 THEN ' rare ' || lpad(substr(c.title, 7), 5, '0') ELSE '' END
FROM w, c, generate_series(1, ${LENGTH}) x`;

/** Inserts conversations with this many messages in all for a caller, then vacuums the tables. */
export async function fillOwner(sql: pg.Pool, { workspaceId, keyId }: Caller, messages: number): Promise<void> {
  const conversations = messages / LENGTH;
  for (let from = 1; from <= conversations; from += BATCH) {
    await sql.query(FILL, [workspaceId, keyId, from, Math.min(from + BATCH - 1, conversations)]);
  }
  await sql.query('VACUUM (ANALYZE) conversations, messages');
}
