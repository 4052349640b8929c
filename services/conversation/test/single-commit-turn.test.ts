import { describe, expect, it } from '@jest/globals';
import { useService } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe('a deferred commit', () => {
  const service = useService();

  async function counts(conversationId: string) {
    const sql = `SELECT (SELECT count(*) FROM turns WHERE conversation_id = $1)::int AS turns,
      (SELECT count(*) FROM turn_ends WHERE conversation_id = $1)::int AS ends,
      (SELECT message_count FROM conversations WHERE id = $1) AS messages`;
    return (await service.fixture.sql.query<Record<string, number>>(sql, [conversationId])).rows[0];
  }

  async function xidOf(table: string, column: string, id: string): Promise<string | undefined> {
    const { rows } = await service.fixture.sql.query<{ xid: string }>(`SELECT xmin::text AS xid FROM ${table} WHERE ${column} = $1`, [id]);
    return rows[0]?.xid;
  }

  it('shares one commit with an immediate end', async () => {
    const turn = newBeginTurn({ relaxed: true });
    const begun = service.client.begin(turn);
    await expect(service.client.end(newEndTurn(turn, { upstreamState: 'state-1' }))).resolves.toBe(true);
    await expect(begun).resolves.toMatchObject({ outcome: 'begun' });
    await expect(counts(turn.conversationId)).resolves.toEqual({ turns: 1, ends: 1, messages: 2 });
    await expect(service.client.history(turn.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    expect(await xidOf('turns', 'id', turn.turnId)).toBe(await xidOf('turn_ends', 'turn_id', turn.turnId));
    await expect(service.client.open(turn.conversationId)).resolves.toMatchObject({
      lastSequence: 1,
      busy: false,
      upstreamState: 'state-1',
    });
  });

  it('is committed alone when no end arrives', async () => {
    const turn = newBeginTurn({ relaxed: true });
    await expect(service.client.begin(turn)).resolves.toMatchObject({ outcome: 'begun' });
    await expect(counts(turn.conversationId)).resolves.toEqual({ turns: 1, ends: 0, messages: 0 });
    await expect(service.client.end(newEndTurn(turn))).resolves.toBe(true);
    expect(await xidOf('turns', 'id', turn.turnId)).not.toBe(await xidOf('turn_ends', 'turn_id', turn.turnId));
  });

  it('is written once when calls are repeated', async () => {
    const turn = newBeginTurn({ relaxed: true });
    await Promise.all([service.client.begin(turn), service.client.end(newEndTurn(turn))]);
    const again = service.client.begin(turn);
    await expect(service.client.end(newEndTurn(turn))).resolves.toBe(true);
    await expect(again).resolves.toMatchObject({ outcome: 'begun' });
    await expect(service.client.end(newEndTurn(turn, { text: 'Another answer' }))).resolves.toBe(false);
    await expect(counts(turn.conversationId)).resolves.toEqual({ turns: 1, ends: 1, messages: 2 });
  });

  it('can be continued', async () => {
    const turn = newBeginTurn({ relaxed: true });
    await Promise.all([service.client.begin(turn), service.client.end(newEndTurn(turn))]);
    await service.client.turn(nextBeginTurn(turn));
    await expect(counts(turn.conversationId)).resolves.toEqual({ turns: 2, ends: 2, messages: 4 });
  });

  it('is not ended by another key', async () => {
    const turn = newBeginTurn({ relaxed: true });
    const begun = service.client.begin(turn);
    await expect(service.running.as(newCaller()).end(newEndTurn(turn))).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    await expect(begun).resolves.toMatchObject({ outcome: 'begun' });
    await expect(counts(turn.conversationId)).resolves.toMatchObject({ ends: 0 });
  });

  it('writes every turn of a group, and an invalid one affects no other', async () => {
    const turns = Array.from({ length: 300 }, () => newBeginTurn({ relaxed: true }));
    const stolen = turns[7]?.conversationId;
    const bad = newBeginTurn({ relaxed: true, conversationId: stolen });
    const results = await Promise.allSettled(
      [...turns, bad].flatMap((turn) => [service.client.begin(turn), service.client.end(newEndTurn(turn))]),
    );
    expect(results.slice(0, 600).every(({ status }) => status === 'fulfilled')).toBe(true);
    const ids = turns.map(({ turnId }) => turnId);
    const sql = 'SELECT count(*)::int AS ended FROM turn_ends WHERE turn_id = ANY ($1::uuid[])';
    await expect(service.fixture.sql.query(sql, [ids])).resolves.toMatchObject({ rows: [{ ended: 300 }] });
    await expect(counts(stolen ?? '')).resolves.toEqual({ turns: 1, ends: 1, messages: 2 });
  });
});
