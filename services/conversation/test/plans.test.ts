import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Fixture, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newBeginning, newCaller, newEnd, nextBeginning } from './turns.ts';

describe('the statements of the turn', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.close());

  /** What was read so far: indexes by name, and tables that were read from end to end. */
  async function reads(): Promise<string[]> {
    const { rows } = await fixture.sql.query<{ name: string }>(`
      SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE schemaname = 'conversation' AND idx_scan > 0
      UNION ALL SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'conversation' AND seq_scan > 0`);
    return rows.map(({ name }) => name).filter((name) => !/^(_prisma_migrations|outbox|reaper_progress)/.test(name));
  }

  it('find rows by their own keys alone, though they were prepared on empty tables', async () => {
    // A connection reports what it has read when it ends. The first start reads tables to build their indexes.
    await (await fixture.start({ bus: createRecordingBus() })).stop();
    await waitFor(async () => (await reads()).includes('turns'));
    await fixture.sql.query('SELECT pg_stat_reset()');
    const service = await fixture.start({ bus: createRecordingBus() });
    const client = service.as(newCaller());
    for (let count = 0; count < 20; count++) {
      const first = await client.turn(newBeginning());
      await client.open(first.conversationId);
      const second = nextBeginning(first);
      await client.begin(second);
      await client.savePartial(second.turnId, 'so far');
      await client.end(newEnd(second));
    }
    await service.stop();
    const keys = [
      'conversations_pkey',
      'turn_ends_pkey',
      'turn_partials_pkey',
      'turn_runners_pkey',
      'turns_conversation_id_sequence_key',
      'turns_pkey',
    ];
    await waitFor(async () => (await reads()).length >= keys.length);
    expect((await reads()).sort()).toEqual(keys);
  });
});
