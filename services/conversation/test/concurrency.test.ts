import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type BeginTurn, type TurnBegun } from '@parley/protos/conversation/v1/conversation';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const MANY = Array.from({ length: 50 }, (_, index) => index);

describe('concurrent turns', () => {
  let fixture: Fixture;
  let replicas: Running[];
  beforeAll(async () => {
    fixture = await createFixture();
    replicas = [await fixture.start(), await fixture.start({ listen: '127.0.0.1:0' })];
  });
  afterAll(() => fixture.close());

  const caller = newCaller();
  const replica = (index: number) => (replicas[index % replicas.length] as Running).as(caller);
  const outcomes = (answers: readonly TurnBegun[], outcome: string) => answers.filter((answer) => answer.outcome === outcome);

  it('lets one of fifty turns with the same sequence begin, across replicas', async () => {
    const first = await replica(0).turn(newBeginTurn());
    const answers = await Promise.all(MANY.map((index) => replica(index).begin(nextBeginTurn(first))));
    expect(outcomes(answers, 'begun')).toHaveLength(1);
    expect(outcomes(answers, 'busy')).toHaveLength(49);
    await expect(replica(0).history(first.conversationId)).resolves.toHaveLength(3);
  });

  it('lets one of fifty turns with the same idempotency key begin, across replicas', async () => {
    const request = { idempotencyKey: 'fifty', requestDigest: Buffer.from('digest') };
    const starts = MANY.map(() => newBeginTurn(request));
    const answers = await Promise.all(starts.map((start, index) => replica(index).begin(start)));
    const winner = starts[answers.findIndex(({ outcome }) => outcome === 'begun')] as BeginTurn;
    expect(outcomes(answers, 'duplicate').map(({ earlier }) => earlier?.turnId)).toEqual(Array(49).fill(winner.turnId));
    const ids = starts.map(({ conversationId }) => conversationId);
    const { rows } = await fixture.sql.query('SELECT id FROM conversations WHERE id = ANY ($1)', [ids]);
    expect(rows).toEqual([{ id: winner.conversationId }]);
  });

  it('begins a turn once for many concurrent calls', async () => {
    const start = newBeginTurn();
    const answers = await Promise.all(MANY.map((index) => replica(index).begin(start)));
    expect(outcomes(answers, 'begun')).toHaveLength(50);
    await expect(replica(0).history(start.conversationId)).resolves.toEqual(['user: Hello']);
  });

  it('ends a turn once for many concurrent calls', async () => {
    const start = newBeginTurn();
    await replica(0).begin(start);
    const texts = MANY.map((index) => `answer ${index % 2}`);
    const closed = await Promise.all(texts.map((text, index) => replica(index).end(newEndTurn(start, { text }))));
    const kept = texts[closed.indexOf(true)];
    expect(closed).toEqual(texts.map((text) => text === kept));
    await expect(replica(0).history(start.conversationId)).resolves.toEqual(['user: Hello', `assistant: ${kept}`]);
  });

  it('commits 299 turns that share a group with an invalid one', async () => {
    const taken = await replica(0).turn(newBeginTurn());
    const bad = newBeginTurn({ messages: taken.messages });
    const good = Array.from({ length: 299 }, () => newBeginTurn());
    const all = good.toSpliced(150, 0, bad);
    const begun = await Promise.allSettled(all.map((start) => replica(0).begin(start)));
    expect(begun.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([150]);
    expect(begun[150]).toMatchObject({ reason: { condition: 'INTERNAL_ERROR' } });
    const closed = await Promise.all(good.map((start) => replica(1).end(newEndTurn(start))));
    expect(new Set(closed)).toEqual(new Set([true]));
    const ids = all.map(({ conversationId }) => conversationId);
    const { rows } = await fixture.sql.query('SELECT count(*)::int AS n FROM messages WHERE conversation_id = ANY ($1)', [ids]);
    expect(rows).toEqual([{ n: 598 }]);
  });

  it('runs conversations concurrently without losing a turn', async () => {
    const rounds = 5;
    const last = await Promise.all(
      MANY.map(async (index) => {
        let turn = await replica(index).turn(newBeginTurn({ runnerId: uuidv7() }));
        for (let round = 1; round < rounds; round++) turn = await replica(index + round).turn(nextBeginTurn(turn));
        return turn;
      }),
    );
    const ids = last.map(({ conversationId }) => conversationId);
    const { rows } = await fixture.sql.query('SELECT DISTINCT message_count FROM conversations WHERE id = ANY ($1)', [ids]);
    expect(rows).toEqual([{ message_count: 2 * rounds }]);
  });
});
