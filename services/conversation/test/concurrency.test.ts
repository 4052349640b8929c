import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import type { BeginTurn, TurnBegun } from '@parley/protos/conversation/v1/conversation';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const MANY = Array.from({ length: 50 }, (_, index) => index);

describe('turns that meet', () => {
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
    const beginnings = MANY.map(() => newBeginTurn(request));
    const answers = await Promise.all(beginnings.map((beginning, index) => replica(index).begin(beginning)));
    const winner = beginnings[answers.findIndex(({ outcome }) => outcome === 'begun')] as BeginTurn;
    expect(outcomes(answers, 'duplicate').map(({ earlier }) => earlier?.turnId)).toEqual(Array(49).fill(winner.turnId));
    const ids = beginnings.map(({ conversationId }) => conversationId);
    const { rows } = await fixture.sql.query('SELECT id FROM conversations WHERE id = ANY ($1)', [ids]);
    expect(rows).toEqual([{ id: winner.conversationId }]);
  });

  it('begins a turn once however often it is asked at the same time', async () => {
    const beginning = newBeginTurn();
    const answers = await Promise.all(MANY.map((index) => replica(index).begin(beginning)));
    expect(outcomes(answers, 'begun')).toHaveLength(50);
    await expect(replica(0).history(beginning.conversationId)).resolves.toEqual(['user: Hello']);
  });

  it('ends a turn once however often it is told at the same time', async () => {
    const beginning = newBeginTurn();
    await replica(0).begin(beginning);
    const texts = MANY.map((index) => `answer ${index % 2}`);
    const closed = await Promise.all(texts.map((text, index) => replica(index).end(newEndTurn(beginning, { text }))));
    const kept = texts[closed.indexOf(true)];
    expect(closed).toEqual(texts.map((text) => text === kept));
    await expect(replica(0).history(beginning.conversationId)).resolves.toEqual(['user: Hello', `assistant: ${kept}`]);
  });

  it('keeps 299 turns that are committed together with one that cannot be', async () => {
    const taken = await replica(0).turn(newBeginTurn());
    const bad = newBeginTurn({ messages: taken.messages });
    const good = Array.from({ length: 299 }, () => newBeginTurn());
    const all = good.toSpliced(150, 0, bad);
    const begun = await Promise.allSettled(all.map((beginning) => replica(0).begin(beginning)));
    expect(begun.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([150]);
    expect(begun[150]).toMatchObject({ reason: { condition: 'INTERNAL_ERROR' } });
    const closed = await Promise.all(good.map((beginning) => replica(1).end(newEndTurn(beginning))));
    expect(new Set(closed)).toEqual(new Set([true]));
    const ids = all.map(({ conversationId }) => conversationId);
    const { rows } = await fixture.sql.query('SELECT count(*)::int AS n FROM messages WHERE conversation_id = ANY ($1)', [ids]);
    expect(rows).toEqual([{ n: 598 }]);
  });

  it('runs conversations side by side without losing a turn', async () => {
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
