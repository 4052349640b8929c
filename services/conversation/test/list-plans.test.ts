import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ConversationClient } from './conversation-client.ts';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newCaller } from './turn-client.ts';

/** Enough rows for the planner to prefer an index. */
const CONVERSATIONS = 20_000;
const MESSAGES = 5;

/** Conversations of one key among those of others, some of projects, every message of a few of so many words; something was made in each. */
const FILL = `
WITH c AS (
  INSERT INTO conversations (id, workspace_id, owner_key_id, owner_user_id, upstream_account_id, upstream_project_id, model, message_count,
    last_message_at)
  SELECT gen_random_uuid(), $1, CASE WHEN n % 20 = 0 THEN $2::uuid ELSE gen_random_uuid() END, NULL, 'account-1',
    CASE WHEN n % 10 = 0 THEN 'project-' || n % 200 END, 'auto', ${MESSAGES}, now() - n * interval '1 minute'
  FROM generate_series(1, ${CONVERSATIONS}) n RETURNING id
), m AS (
  INSERT INTO messages (id, conversation_id, sequence, position, role, content)
  SELECT gen_random_uuid(), c.id, 1, n, 'user', concat_ws(' ', md5((random() * 5000)::int::text), md5((random() * 5000)::int::text))
  FROM c, generate_series(1, ${MESSAGES}) n RETURNING id, conversation_id, content, position
), made AS (
  INSERT INTO message_assets (asset_id, message_id, conversation_id) SELECT gen_random_uuid(), id, conversation_id FROM m WHERE position = 1
)
INSERT INTO search_documents (id, conversation_id, text) SELECT id, conversation_id, content FROM m`;

/** The caller's index covers all of them. */
const COVER = `
WITH covered AS (
  INSERT INTO search_conversations (conversation_id, workspace_id, owner_id, sequence)
  SELECT id, workspace_id, owner_key_id, 1 FROM conversations WHERE owner_key_id = $2
)
INSERT INTO search_owners (workspace_id, owner_id, is_key, covered_until, covered_id, lease_until)
VALUES ($1, $2, true, now() - interval '10 minutes', $2, now() + interval '1 day')`;

describe('reading among many conversations', () => {
  const caller = newCaller();
  let fixture: Fixture;
  let running: Running;
  let mine: ConversationClient;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ bus: createRecordingBus() });
    mine = new ConversationClient(running, caller);
    await fixture.sql.query(FILL, [caller.workspaceId, caller.keyId]);
    await fixture.sql.query(COVER, [caller.workspaceId, caller.keyId]);
    await mine.create({ title: 'The only quokka' });
    await fixture.sql.query('VACUUM (ANALYZE)');
  });
  afterAll(() => fixture.close());

  /** What a query reads: indexes, and sequentially scanned tables. */
  async function readsOf(ask: (one: Running) => Promise<unknown>): Promise<string[]> {
    await fixture.sql.query('SELECT pg_stat_force_next_flush()');
    await fixture.sql.query('SELECT pg_stat_reset()');
    const one = await fixture.start({ bus: createRecordingBus() });
    mine = new ConversationClient(one, caller);
    await ask(one);
    // A connection reports its statistics when it ends.
    await one.stop();
    const reads = async () => {
      const { rows } = await fixture.sql.query<{ name: string }>(`
        SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE schemaname = 'conversation' AND idx_scan > 0
        UNION ALL SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'conversation' AND seq_scan > 0`);
      return rows
        .map(({ name }) => name)
        .filter((name) => !/^(_prisma_migrations|outbox|reaper_progress|turn_|turns|participants)/.test(name));
    };
    await waitFor(async () => (await reads()).length > 0);
    return (await reads()).sort();
  }

  it('finds rare words by the text index', async () => {
    const reads = await readsOf(async () => expect((await mine.list({ search: 'ONLY quok' })).total).toBe(1));
    expect(reads).toContain('search_documents_text_idx');
    for (const table of ['search_documents', 'messages', 'turns']) expect(reads).not.toContain(table);
  });

  it('searches texts without a trigram among the caller’s own conversations', async () => {
    const reads = await readsOf(async () => expect((await mine.list({ search: '_' })).total).toBe(0));
    for (const name of ['search_documents_text_idx', 'search_documents', 'messages']) expect(reads).not.toContain(name);
    expect(reads).toContain('search_documents_conversation_id_idx');
  });

  it('reads a page and the count by the list index', async () => {
    const reads = await readsOf(async () => expect((await mine.list({ limit: 50 })).total).toBe(CONVERSATIONS / 20 + 1));
    expect(reads).toEqual(['conversations_of_key_idx', 'conversations_of_user_idx']);
  });

  it('reads the messages of one conversation by their index', async () => {
    const { conversations } = await new ConversationClient(running, caller).list({ limit: 1, offset: 5 });
    const id = conversations[0]?.id ?? uuidv7();
    const reads = await readsOf(async () => expect(await mine.messages(id)).toHaveLength(MESSAGES));
    expect(reads).toEqual([
      'conversations_pkey',
      'message_assets_conversation_id_message_id_idx',
      'messages_conversation_id_sequence_position_idx',
    ]);
  });

  it('reads one message by the keys', async () => {
    const { rows } = await fixture.sql.query<{ id: string }>(
      'SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.owner_key_id = $1 AND m.position = 1 LIMIT 1',
      [caller.keyId],
    );
    const reads = await readsOf(async () => expect((await mine.message(rows[0]?.id ?? '')).assetIds).toHaveLength(1));
    expect(reads).toEqual(['conversations_pkey', 'message_assets_conversation_id_message_id_idx', 'messages_pkey']);
  });

  it('counts the conversations of projects by their index', async () => {
    const upstreamProjectIds = ['project-10', 'project-30', 'none'];
    const reads = await readsOf(async ({ stub }) => {
      const { counts } = await stub.countConversations({ upstreamProjectIds }, { caller });
      expect(counts).toMatchObject([{ conversations: CONVERSATIONS / 200 }, { conversations: CONVERSATIONS / 200 }]);
    });
    expect(reads).toEqual(['conversations_of_project_idx']);
  });
});
