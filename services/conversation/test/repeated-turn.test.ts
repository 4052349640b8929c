import { beforeEach, describe, expect, it } from '@jest/globals';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import { useService } from './fixture.ts';
import { type TurnClient, REFUSED, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const digest = (text: string) => Buffer.alloc(32, text);
const BROKEN = { status: 'failed', text: 'Hi th', finishReason: 'error' };

describe.each(['in-process', '127.0.0.1:0'] as const)('a turn that repeats another, %s', (listen) => {
  const service = useService({ listen });
  let client: TurnClient;
  beforeEach(() => {
    client = service.running.as(newCaller());
  });

  const asking = (text: string, over: Partial<BeginTurn> = {}) => newBeginTurn({ requestDigest: digest(text), ...over });
  const repeating = (before: BeginTurn) => nextBeginTurn(before, { requestDigest: before.requestDigest, messages: [] });
  const recall = async (which: { turnId: string } | { refusedDigest: Buffer }, caller = client.caller) => {
    const one =
      'turnId' in which
        ? ({ $case: 'turnId', value: which.turnId } as const)
        : ({ $case: 'refusedDigest', value: which.refusedDigest } as const);
    return (await service.running.stub.recallTurn({ which: one }, { caller })).turn?.turnId;
  };

  it('has the state of the last turn, and the turn with the request messages', async () => {
    const first = await client.turn(asking('a'), BROKEN);
    const lastOf = async () => (await client.open(first.conversationId)).lastTurn;
    await expect(lastOf()).resolves.toMatchObject({ turnId: first.turnId, status: 'failed', askedTurnId: first.turnId });
    expect(Buffer.from((await lastOf())?.requestDigest ?? []).equals(digest('a'))).toBe(true);
    const second = await client.turn(repeating(first), { status: 'interrupted' });
    await expect(lastOf()).resolves.toMatchObject({ turnId: second.turnId, status: 'interrupted', askedTurnId: first.turnId });
    const third = repeating(second);
    await client.begin(third);
    await expect(lastOf()).resolves.toMatchObject({ turnId: third.turnId, status: 'streaming', askedTurnId: first.turnId });
    await client.end(newEndTurn(third));
    const fourth = await client.turn(nextBeginTurn(third));
    await expect(lastOf()).resolves.toMatchObject({ turnId: fourth.turnId, status: 'completed', askedTurnId: fourth.turnId });
  });

  it('adds no request message, and its answer replaces the failed one', async () => {
    const first = await client.turn(asking('a'), BROKEN);
    await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi th']);
    const second = await client.turn(repeating(first), BROKEN);
    const third = await client.turn(repeating(second));
    await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    await client.turn(nextBeginTurn(third));
    await expect(client.history(first.conversationId)).resolves.toEqual([
      'user: Hello',
      'assistant: Hi there',
      'user: Hello',
      'assistant: Hi there',
    ]);
  });

  it('recalls a turn of the same key that ended recently', async () => {
    const first = await client.turn(asking('a'));
    await expect(recall({ turnId: first.turnId })).resolves.toBe(first.turnId);
    await expect(recall({ turnId: first.turnId }, newCaller())).resolves.toBeUndefined();
    await expect(recall({ turnId: 'no id' })).resolves.toBeUndefined();
    const open = asking('a');
    await client.begin(open);
    await expect(recall({ turnId: open.turnId })).resolves.toBeUndefined();
    await service.fixture.sql.query(`UPDATE turn_ends SET ended_at = ended_at - interval '2 minutes' WHERE turn_id = $1`, [first.turnId]);
    await expect(recall({ turnId: first.turnId })).resolves.toBeUndefined();
  });

  describe('that started a conversation', () => {
    it('is found while no client knows the conversation, the newest first', async () => {
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBeUndefined();
      const older = await client.turn(asking('a'), REFUSED);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(older.turnId);
      const newer = await client.turn(asking('a'), REFUSED);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(newer.turnId);
      const again = await client.turn(repeating(newer), REFUSED);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(again.turnId);
      const taken = repeating(again);
      await client.begin(taken);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(older.turnId);
      await client.end(newEndTurn(taken));
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(older.turnId);
      await expect(recall({ refusedDigest: digest('b') })).resolves.toBeUndefined();
      await expect(recall({ refusedDigest: digest('a') }, newCaller())).resolves.toBeUndefined();
      await expect(
        recall({ refusedDigest: digest('a') }, { ...client.caller, workspaceId: newCaller().workspaceId }),
      ).resolves.toBeUndefined();
    });

    it('is found after it moved to another connection', async () => {
      const first = asking('a');
      await Promise.all([client.begin(first), expect(client.move(first, 'account-2')).resolves.toBe(true)]);
      await client.end(newEndTurn(first, { ...REFUSED, connectionId: 'account-2', model: 'model-2' }));
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(first.turnId);
      await expect(recall({ turnId: first.turnId })).resolves.toBe(first.turnId);
      const again = repeating(first);
      await client.begin(again);
      await expect(client.move(again, 'account-3')).resolves.toBe(true);
      await client.end(newEndTurn(again, REFUSED));
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBe(again.turnId);
    });

    it.each([
      ['was completed', {}],
      ['was accepted', BROKEN],
      ['was interrupted', { ...REFUSED, status: 'interrupted' }],
    ])('is not found when it %s', async (_what, end) => {
      await client.turn(asking('a'), end);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBeUndefined();
    });

    it('is not found when the conversation continued, although the last turn is equal', async () => {
      const first = await client.turn(asking('a'), REFUSED);
      const second = await client.turn(nextBeginTurn(first, { requestDigest: digest('a') }), REFUSED);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBeUndefined();
      expect(second.sequence).toBe(2);
    });

    it('is not found after a while', async () => {
      const first = await client.turn(asking('a'), REFUSED);
      await service.fixture.sql.query(`UPDATE turn_ends SET ended_at = ended_at - interval '11 minutes' WHERE turn_id = $1`, [
        first.turnId,
      ]);
      await expect(recall({ refusedDigest: digest('a') })).resolves.toBeUndefined();
    });
  });

  it('adds no index entry for a completed turn', async () => {
    const turns = [await client.turn(asking('a')), await client.turn(asking('a'))];
    turns.push(await client.turn(nextBeginTurn(turns[1] ?? newBeginTurn(), { requestDigest: digest('b') }), REFUSED));
    turns.push(await client.turn(asking('a'), BROKEN));
    const ids = turns.map(({ turnId }) => turnId);
    const kept = await service.fixture.sql.query('SELECT FROM turn_ends WHERE turn_id = ANY ($1) AND refused_digest IS NOT NULL', [ids]);
    expect(kept.rowCount).toBe(0);
  });
});
