import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ConversationClient } from './conversation-client.ts';
import { type Fixture, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { REFUSED, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe('the statements of turns', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.close());

  /** What was read so far: indexes by name, and sequentially scanned tables. */
  async function reads(): Promise<string[]> {
    const { rows } = await fixture.sql.query<{ name: string }>(`
      SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE schemaname = 'conversation' AND idx_scan > 0
      UNION ALL SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'conversation' AND seq_scan > 0`);
    return rows.map(({ name }) => name).filter((name) => !/^(_prisma_migrations|outbox|reaper_progress)/.test(name));
  }

  /** The indexes that the turns of every caller need. */
  const KEYS = [
    'conversations_pkey',
    'turn_ends_pkey',
    'turn_partials_pkey',
    'turn_runners_pkey',
    'turns_conversation_id_sequence_key',
    'turns_pkey',
  ];

  /** What twenty continued turns read on tables that were empty when their statements were prepared. */
  async function readsOfTurns(keys: readonly string[], byEditor: boolean): Promise<string[]> {
    // A connection reports its statistics when it ends. The first start reads tables to build their indexes.
    const before = await fixture.start({ bus: createRecordingBus() });
    const owner = newCaller();
    const editor = byEditor ? newCaller({ workspaceId: owner.workspaceId }) : owner;
    const openings = [];
    for (let count = 0; count < 20; count++) {
      const first = await before.as(owner).turn(newBeginTurn());
      if (byEditor) await new ConversationClient(before, owner).share(first.conversationId, editor.userId, 'editor');
      openings.push(first);
    }
    await before.stop();
    await waitFor(async () => (await reads()).includes('turns_pkey'));
    await fixture.sql.query('SELECT pg_stat_reset()');
    const service = await fixture.start({ bus: createRecordingBus() });
    const client = service.as(editor);
    for (const first of openings) {
      await client.open(first.conversationId);
      const second = nextBeginTurn(first);
      await client.begin(second);
      await client.savePartial(second.turnId, 'so far');
      await client.end(newEndTurn(second));
    }
    await service.stop();
    await waitFor(async () => (await reads()).length >= keys.length);
    return (await reads()).sort();
  }

  it('use only primary and unique keys, although they were prepared on empty tables', async () => {
    // A connection reports its statistics when it ends. The first start reads tables to build their indexes.
    await (await fixture.start({ bus: createRecordingBus() })).stop();
    await waitFor(async () => (await reads()).includes('turns'));
    await fixture.sql.query('SELECT pg_stat_reset()');
    const service = await fixture.start({ bus: createRecordingBus() });
    const client = service.as(newCaller());
    for (let count = 0; count < 20; count++) {
      const first = await client.turn(newBeginTurn());
      await client.open(first.conversationId);
      const second = nextBeginTurn(first);
      await client.begin(second);
      await client.savePartial(second.turnId, 'so far');
      await client.end(newEndTurn(second));
    }
    await service.stop();
    await waitFor(async () => (await reads()).length >= KEYS.length);
    expect((await reads()).sort()).toEqual(KEYS);
  });

  it('use only primary and unique keys when turns are refused and moved', async () => {
    await fixture.sql.query('SELECT pg_stat_reset()');
    const service = await fixture.start({ bus: createRecordingBus() });
    const client = service.as(newCaller());
    for (let count = 0; count < 20; count++) {
      const first = await client.turn(newBeginTurn(), REFUSED);
      const second = await client.turn(nextBeginTurn(first, { messages: [] }), REFUSED);
      await expect(client.open(first.conversationId)).resolves.toMatchObject({ started: false });
      const third = nextBeginTurn(second, { messages: [] });
      await client.begin(third);
      await expect(client.move(third, 'account-2')).resolves.toBe(true);
      await client.end(newEndTurn(third));
    }
    await service.stop();
    await waitFor(async () => (await reads()).length >= KEYS.length);
    expect((await reads()).sort()).toEqual(KEYS);
  });

  it('read participants by their key, only for callers who are not the owner', async () => {
    await expect(readsOfTurns(KEYS, false)).resolves.toEqual(KEYS);
    const more = ['conversations_pkey', 'participants_pkey', ...KEYS.slice(1)];
    await expect(readsOfTurns(more, true)).resolves.toEqual(more);
  });
});
