import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { useService } from './fixture.ts';
import { newBeginTurn, newEndTurn } from './turn-client.ts';

const COUNT = 600;
const say = (text: string, parts: { content: { $case: 'imageUrl'; value: string } }[] = []) => {
  return { id: uuidv7(), role: 'user', text, parts, files: [] };
};
const history = () => Array.from({ length: COUNT }, (_, n) => say(`${n} ${'слово '.repeat(500)}`));

describe('a turn of megabytes', () => {
  const service = useService();

  async function stored(conversationId: string) {
    const { rows } = await service.fixture.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM messages WHERE conversation_id = $1',
      [conversationId],
    );
    return rows[0]?.count;
  }

  it('keeps every message in its place', async () => {
    const start = newBeginTurn({ messages: history() });
    await expect(service.client.begin(start)).resolves.toMatchObject({ outcome: 'begun' });
    const said = await service.client.history(start.conversationId);
    expect(said.map((text) => Number(/^user: (\d+) /.exec(text)?.[1]))).toEqual(Array.from({ length: COUNT }, (_, n) => n));
    await service.client.end(newEndTurn(start));
    await expect(service.client.open(start.conversationId)).resolves.toMatchObject({ busy: false, lastSequence: 1 });
  });

  it('keeps one message that is larger than a portion', async () => {
    const start = newBeginTurn({
      messages: [say('before'), say('', [{ content: { $case: 'imageUrl', value: 'x'.repeat(3e6) } }]), say('after')],
    });
    await service.client.begin(start);
    await expect(stored(start.conversationId)).resolves.toBe(3);
  });

  it('begins once when asked again, and keeps nothing of one that may not begin', async () => {
    const start = newBeginTurn({ messages: history() });
    await service.client.begin(start);
    await expect(service.client.begin(start)).resolves.toMatchObject({ outcome: 'begun' });
    const { conversationId } = start;
    await expect(
      service.client.begin(newBeginTurn({ conversationId, newConversation: undefined, sequence: 2, messages: history() })),
    ).resolves.toMatchObject({
      outcome: 'busy',
    });
    await expect(stored(conversationId)).resolves.toBe(COUNT);
  });

  it('keeps nothing of a turn whose messages cannot all be written', async () => {
    const taken = say('taken');
    await service.client.begin(newBeginTurn({ messages: [taken] }));
    const start = newBeginTurn({ messages: [...history(), taken] });
    await expect(service.client.begin(start)).rejects.toThrow();
    await expect(stored(start.conversationId)).resolves.toBe(0);
    const { rowCount } = await service.fixture.sql.query('SELECT FROM conversations WHERE id = $1', [start.conversationId]);
    expect(rowCount).toBe(0);
  });

  it('keeps nothing of a turn whose connection breaks while it is copied', async () => {
    const { sql } = service.fixture;
    const start = newBeginTurn({ messages: history() });
    const lock = await sql.connect();
    try {
      await lock.query('BEGIN; LOCK TABLE messages IN EXCLUSIVE MODE');
      const begun = service.client.begin(start).catch((error: unknown) => error);
      await waitFor(async () => {
        const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY messages%' AND wait_event_type = 'Lock'`;
        return (await sql.query(waiting)).rowCount === 1;
      });
      await expect(begun).resolves.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    await expect(stored(start.conversationId)).resolves.toBe(0);
    await expect(service.client.begin(start)).resolves.toMatchObject({ outcome: 'begun' });
    await expect(stored(start.conversationId)).resolves.toBe(COUNT);
  });

  it('leaves the turns of others alone that start while it is written', async () => {
    const start = newBeginTurn({ messages: history() });
    const { conversationId } = start;
    const others = Array.from({ length: 20 }, () => newBeginTurn());
    const small = newBeginTurn({ conversationId });
    const [large, rival, ...rest] = await Promise.allSettled([start, small, ...others].map((turn) => service.client.begin(turn)));
    expect(rest.map((result) => result.status === 'fulfilled' && result.value.outcome)).toEqual(others.map(() => 'begun'));
    const outcomes = [large, rival].map((result) => result?.status === 'fulfilled' && result.value.outcome);
    expect(outcomes.filter((outcome) => outcome === 'begun')).toHaveLength(1);
    await expect(stored(conversationId)).resolves.toBe(outcomes[0] === 'begun' ? COUNT : 1);
  });
});
