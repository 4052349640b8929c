import { beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { ConversationClient } from './conversation-client.ts';
import { TRANSPORTS, useService } from './fixture.ts';
import { type TurnClient, REFUSED, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const ELSEWHERE = { upstreamAccountId: 'account-2', model: 'model-2' };

describe.each(TRANSPORTS)('moving a turn to another connection, %s', (listen) => {
  const service = useService({ listen });
  let client: TurnClient;
  beforeEach(() => {
    client = service.running.as(newCaller());
  });

  const moves = (start: Parameters<TurnClient['move']>[0], by = client) => by.move(start, 'account-2', 'model-2');
  const accountOfTurn = async (turnId: string) =>
    (
      await service.fixture.sql.query<Record<string, string>>('SELECT upstream_account_id AS account, model FROM turns WHERE id = $1', [
        turnId,
      ])
    ).rows[0];

  it.each([false, true])('moves the conversation too (its start is being committed: %s)', async (isBeginning) => {
    const first = newBeginTurn();
    const begun = client.begin(first);
    if (!isBeginning) await begun;
    await expect(moves(first)).resolves.toBe(true);
    await expect(begun).resolves.toMatchObject({ outcome: 'begun' });
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ ...ELSEWHERE, continuityStatus: 'available', busy: true });
    await expect(accountOfTurn(first.turnId)).resolves.toEqual({ account: 'account-2', model: 'model-2' });
    await expect(client.end(newEndTurn(first, { connectionId: 'account-2', upstreamState: 'state-2' }))).resolves.toBe(true);
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ ...ELSEWHERE, upstreamState: 'state-2', started: true });
  });

  it('moves again, and again to the same connection', async () => {
    const first = newBeginTurn();
    await client.begin(first);
    for (const account of ['account-2', 'account-2', 'account-3']) await expect(client.move(first, account)).resolves.toBe(true);
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ upstreamAccountId: 'account-3' });
  });

  it('moves after every earlier turn was refused, and makes the conversation available', async () => {
    const first = await client.turn(newBeginTurn(), REFUSED);
    const { conversationId } = first;
    await service.running.stub.setContinuity({ conversationId, status: 'upstream_unavailable' }, { caller: client.caller });
    const second = nextBeginTurn(first, { messages: [] });
    await client.begin(second);
    await expect(moves(second)).resolves.toBe(true);
    await expect(client.open(conversationId)).resolves.toMatchObject({ ...ELSEWHERE, continuityStatus: 'available' });
  });

  it('moves in a conversation that was created or imported and has no turn yet', async () => {
    const mine = new ConversationClient(service.running, client.caller);
    const created = await mine.create();
    const imported = await mine.import([{ role: 'user', text: 'Hello' }]);
    for (const { id: conversationId } of [created, imported]) {
      await expect(client.open(conversationId)).resolves.toMatchObject({ started: false, accountNamed: false });
      const first = newBeginTurn({ conversationId, newConversation: undefined });
      await client.begin(first);
      await expect(moves(first)).resolves.toBe(true);
    }
  });

  it.each([
    ['was completed', {}],
    ['broke off', { status: 'failed', text: '', finishReason: 'error' }],
    ['was interrupted', { ...REFUSED, status: 'interrupted' }],
    ['left state upstream', { ...REFUSED, upstreamState: 'state-1' }],
  ])('stays where a turn %s', async (_what, end) => {
    const first = await client.turn(newBeginTurn(), end);
    const second = await client.turn(nextBeginTurn(first), REFUSED);
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ started: true });
    const third = nextBeginTurn(second);
    await client.begin(third);
    await expect(moves(third)).resolves.toBe(false);
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ upstreamAccountId: 'account-1', model: 'auto' });
    await expect(accountOfTurn(third.turnId)).resolves.toEqual({ account: 'account-1', model: 'auto' });
  });

  it('does not move when it has ended', async () => {
    const first = await client.turn(newBeginTurn(), REFUSED);
    await expect(moves(first)).resolves.toBe(false);
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ upstreamAccountId: 'account-1', started: false });
  });

  it('stays on the connection that was named when the conversation was created', async () => {
    const { id: conversationId } = await new ConversationClient(service.running, client.caller).create({ accountNamed: true });
    await expect(client.open(conversationId)).resolves.toMatchObject({ started: false, accountNamed: true });
    const first = newBeginTurn({ conversationId, newConversation: undefined });
    await client.begin(first);
    await expect(moves(first)).resolves.toBe(false);
  });

  it('is moved only by the key that began it', async () => {
    const first = newBeginTurn();
    const begun = client.begin(first);
    const denied = { condition: 'CONVERSATION_ACCESS_DENIED' };
    const colleague = service.running.as({ ...client.caller, keyId: newCaller().keyId });
    for (const other of [colleague, service.running.as(newCaller()), service.running.as(SYSTEM_CALLER)]) {
      await begun;
      await expect(moves(first, other)).rejects.toMatchObject(denied);
    }
    await expect(moves(newBeginTurn())).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    await expect(client.move(first, '')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ upstreamAccountId: 'account-1' });
  });

  it('moves many concurrently, each independently', async () => {
    const turns = Array.from({ length: 100 }, () => newBeginTurn());
    const ended = await client.turn(newBeginTurn(), REFUSED);
    const results = await Promise.all([...turns.map((turn) => [client.begin(turn), moves(turn)]).flat(), moves(ended)]);
    expect(results.filter((moved) => moved === true)).toHaveLength(100);
    expect(results.at(-1)).toBe(false);
  });
});
