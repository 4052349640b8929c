import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe('conversations that are bound to a connection', () => {
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  /** The connections before and after. */
  let from: string;
  let to: string;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ bus: createRecordingBus() });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    client = running.as(newCaller());
    [from, to] = [uuidv7(), uuidv7()];
  });

  async function on(upstreamAccountId: string, { by = client, upstreamProjectId = '', status = '' } = {}) {
    const newConversation = { title: '', upstreamAccountId, upstreamProjectId, model: 'auto' };
    const turn = await by.turn(newBeginTurn({ newConversation, upstreamAccountId }), {
      upstreamState: 'state-1',
      connectionId: upstreamAccountId,
    });
    const { conversationId } = turn;
    if (status) await running.stub.setContinuity({ conversationId, status }, { caller: by.caller });
    return turn;
  }
  const count = async (upstreamAccountId: string, { caller } = client) =>
    (await running.stub.countBoundConversations({ upstreamAccountId }, { caller })).conversations;
  const rebind = async (keepState: boolean, { caller } = client) =>
    (await running.stub.rebindConversations({ fromAccountId: from, toAccountId: to, keepState }, { caller })).conversations;
  const statusOf = async ({ conversationId }: { conversationId: string }, by = client) => (await by.open(conversationId)).continuityStatus;

  it('are counted over all keys of a workspace, without deleted ones', async () => {
    const colleague = running.as({ ...client.caller, keyId: uuidv7() });
    await on(from);
    await on(from, { by: colleague });
    await on(to);
    await on(from, { by: running.as(newCaller()) });
    const { conversationId } = await on(from);
    await running.stub.deleteConversation({ conversationId }, { caller: client.caller });
    await expect(count(from)).resolves.toBe(2);
    await expect(count(uuidv7())).resolves.toBe(0);
    await expect(count(from, running.as(SYSTEM_CALLER))).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
  });

  it.each([
    [true, 'state-1'],
    [false, ''],
  ])('go to another account and are available there (state kept: %s)', async (keepState, upstreamState) => {
    const lost = await on(from, { status: 'access_lost' });
    const stranger = running.as(newCaller());
    const other = await on(from, { by: stranger, status: 'access_lost' });
    const elsewhere = await on('account-9', { status: 'access_lost' });
    await expect(rebind(keepState)).resolves.toBe(1);
    const bound = { upstreamAccountId: to, continuityStatus: 'available', upstreamState, started: true };
    await expect(client.open(lost.conversationId)).resolves.toMatchObject(bound);
    await expect(stranger.open(other.conversationId)).resolves.toMatchObject({ upstreamAccountId: from, continuityStatus: 'access_lost' });
    await expect(statusOf(elsewhere)).resolves.toBe('access_lost');
    await expect(client.history(lost.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    await expect(rebind(keepState)).resolves.toBe(0);
  });

  it('ignore the upstream state of a turn on their previous connection', async () => {
    const first = await on(from);
    const second = nextBeginTurn(first, { upstreamAccountId: from });
    await client.begin(second);
    await rebind(false);
    await expect(client.end(newEndTurn(second, { upstreamState: 'state-2' }))).resolves.toBe(true);
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ upstreamAccountId: to, upstreamState: '' });
  });

  it('are rebound by the thousand, in more than one transaction', async () => {
    const { workspaceId, keyId } = client.caller;
    await fixture.sql.query(
      `INSERT INTO conversations (id, workspace_id, owner_key_id, upstream_account_id, model, continuity_status)
       SELECT gen_random_uuid(), $1, $2, $3, 'auto', 'access_lost' FROM generate_series(1, 2500)`,
      [workspaceId, keyId, from],
    );
    await expect(rebind(false)).resolves.toBe(2_500);
    await expect(count(to)).resolves.toBe(2_500);
    const { rows } = await fixture.sql.query(
      'SELECT count(DISTINCT xmin::text)::int AS n FROM conversations WHERE upstream_account_id = $1',
      [to],
    );
    expect(rows).toEqual([{ n: 3 }]);
  });

  it('are not bound to an empty or to the same connection', async () => {
    const invalid = { condition: 'VALIDATION_ERROR' };
    for (const [fromAccountId, toAccountId] of [
      ['', to],
      [from, ''],
      [from, from],
    ] as const) {
      const asked = running.stub.rebindConversations({ fromAccountId, toAccountId, keepState: false }, { caller: client.caller });
      await expect(asked).rejects.toMatchObject(invalid);
    }
    await expect(rebind(false, running.as(SYSTEM_CALLER))).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
  });

  it('are marked together, except those with a lasting status', async () => {
    const [well, away, gone] = [
      await on(from),
      await on(from, { status: 'upstream_unavailable' }),
      await on(from, { status: 'deleted_upstream' }),
    ];
    const stranger = running.as(newCaller());
    const other = await on(from, { by: stranger });
    const elsewhere = await on(to);
    const mark = (status: string) =>
      running.stub.markConversations({ of: { $case: 'upstreamAccountId', value: from }, status }, { caller: client.caller });
    await mark('session_expired');
    expect(await Promise.all([well, away, gone].map((one) => statusOf(one)))).toEqual([
      'session_expired',
      'session_expired',
      'deleted_upstream',
    ]);
    await mark('access_lost');
    expect(await Promise.all([well, away, gone].map((one) => statusOf(one)))).toEqual(['access_lost', 'access_lost', 'access_lost']);
    await expect(statusOf(other, stranger)).resolves.toBe('available');
    await expect(statusOf(elsewhere)).resolves.toBe('available');
    await mark('available');
    await expect(statusOf(gone)).resolves.toBe('available');
  });

  it('are marked by their project', async () => {
    const project = uuidv7();
    const [inside, outside] = [await on(from, { upstreamProjectId: project }), await on(from)];
    const of = { $case: 'upstreamProjectId' as const, value: project };
    await running.stub.markConversations({ of, status: 'project_unavailable' }, { caller: client.caller });
    await expect(statusOf(inside)).resolves.toBe('project_unavailable');
    await expect(statusOf(outside)).resolves.toBe('available');
  });

  it.each([
    ['status', { of: { $case: 'upstreamAccountId' as const, value: 'a' }, status: 'fine' }],
    ['account', { of: { $case: 'upstreamAccountId' as const, value: '' }, status: 'access_lost' }],
    ['binding', { of: undefined, status: 'access_lost' }],
  ])('are not marked with a bad %s', async (_what, request) => {
    await expect(running.stub.markConversations(request, { caller: client.caller })).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
    });
  });
});
