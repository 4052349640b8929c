import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering } from './openai-script.ts';
import { SandboxScript } from './sandbox-script.ts';

const MESSAGE = { id: 'u1', role: 'user', content: 'Hello', client_turn_id: 't1', created_at: '2026-01-01T00:00:00.000Z' };
const MERGED = { upstreamId: 'u1', role: 'user', text: 'Hello', model: '', createdAt: new Date(MESSAGE.created_at), clientTurnId: 't1' };

describe('the sync of a conversation', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  let connection: Connection;
  let script: SandboxScript;
  let conversationId: string;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    script = new SandboxScript();
    script.branch = () => ({ current_node: 'u1', messages: [MESSAGE] });
    fixture.upstream.script = script.serve;
    client = running.as(newCaller());
    const over = { provider: 'sandbox', baseUrl: fixture.upstream.url, account: 'ada', secret: 'right', models: [] };
    connection = await connectAccount(fixture, running, client.caller, over);
    conversationId = (await client.turn('hello')).accepted?.conversationId ?? '';
    fixture.conversation.merges.length = 0;
    fixture.upstream.received.length = 0;
  });
  const sync = (caller = client.caller, id = conversationId) =>
    running.stub.syncConversation({ conversationId: id }, { caller, deadlineMs: 20_000 });
  const refusal = (caller = client.caller) =>
    sync(caller).then(
      () => '',
      ({ condition }: { condition: string }) => condition,
    );
  const conversation = () => {
    const found = fixture.conversation.conversations.get(conversationId);
    if (!found) throw new Error('the conversation was not recorded');
    return found;
  };
  const view = async () =>
    (await running.stub.listConnections({ provider: '', status: '', limit: 1, offset: 0 }, { caller: client.caller })).connections[0];
  const branchReads = () => fixture.upstream.received.filter(({ path }) => path.endsWith('/branch')).length;

  it('merges what the upstream has, and the next turn goes on from there', async () => {
    await expect(sync()).resolves.toMatchObject({ id: conversationId, continuityStatus: 'available' });
    expect(fixture.conversation.merges).toEqual([
      {
        ...{ conversationId, continuityStatus: 'available', lastSequence: 1, messages: [MERGED], onlyAdded: false },
        upstreamState: JSON.stringify({ conversation: 'c1', message: 'u1' }),
        onlyAdded: false,
      },
    ]);
    await client.turn('more', { conversationId });
    expect(script.asked.at(-1)?.body.parent_id).toBe('u1');
  });

  it.each([
    [410, 'conversation_deleted', 'deleted_upstream', 'CONVERSATION_DELETED_UPSTREAM'],
    [403, 'conversation_access_lost', 'access_lost', 'CONVERSATION_ACCESS_LOST'],
    [409, 'parent_not_found', 'continuity_lost', 'CONVERSATION_CONTINUITY_LOST'],
  ])('finds out by %i %s that it is %s, until the upstream has it again', async (status, code, continuityStatus, condition) => {
    const { branch } = script;
    script.branch = undefined;
    script.refusal = { status, code };
    await expect(sync()).resolves.toMatchObject({ continuityStatus });
    expect(fixture.conversation.merges).toMatchObject([{ continuityStatus, messages: [], upstreamState: '' }]);
    await expect(client.refusal({ conversationId })).resolves.toBe(condition);
    await expect(view()).resolves.toMatchObject({ health: 'healthy' });
    [script.branch, script.refusal] = [branch, undefined];
    await expect(sync()).resolves.toMatchObject({ continuityStatus: 'available' });
    await expect(client.refusal({ conversationId })).resolves.toBe('');
  });

  it('finds an expired session, which is not asked again until the account is connected again', async () => {
    script.sessions.clear();
    await expect(sync()).resolves.toMatchObject({ continuityStatus: 'session_expired' });
    await expect(view()).resolves.toMatchObject({ status: 'expired', health: 'unhealthy' });
    await expect(client.refusal({ conversationId })).resolves.toBe('CONVERSATION_SESSION_EXPIRED');
    const reads = branchReads();
    await expect(sync()).resolves.toMatchObject({ continuityStatus: 'session_expired' });
    expect(branchReads()).toBe(reads);
    await running.stub.updateConnection({ id: connection.id, secret: 'right' }, { caller: client.caller, deadlineMs: 20_000 });
    await expect(sync()).resolves.toMatchObject({ continuityStatus: 'available' });
  });

  it.each([
    [500, 'PROVIDER_BAD_ANSWER'],
    [503, 'PROVIDER_UNAVAILABLE'],
    [504, 'PROVIDER_TIMEOUT'],
    [429, 'PROVIDER_RATE_LIMITED'],
  ])('changes nothing when the upstream answers %i, and says %s', async (status, condition) => {
    conversation().continuityStatus = 'upstream_unavailable';
    script.branch = undefined;
    script.refusal = { status, code: 'of_tomorrow' };
    await expect(refusal()).resolves.toBe(condition);
    expect(fixture.conversation.merges).toEqual([]);
    expect(conversation().continuityStatus).toBe('upstream_unavailable');
  });

  it('counts for the breaker when it fails, and is refused like a turn while the account pauses', async () => {
    const { branch } = script;
    script.branch = undefined;
    script.refusal = { status: 500, code: 'internal_error' };
    for (let n = 0; n < 5; n++) await expect(refusal()).resolves.toBe('PROVIDER_BAD_ANSWER');
    const reads = branchReads();
    [script.branch, script.refusal] = [branch, undefined];
    await expect(refusal()).resolves.toBe('CONVERSATION_UPSTREAM_UNAVAILABLE');
    await waitFor(() => conversation().continuityStatus === 'upstream_unavailable');
    await expect(client.refusal({ conversationId })).resolves.toBe('CONVERSATION_UPSTREAM_UNAVAILABLE');
    expect(branchReads()).toBe(reads);
  });

  it('is refused while the account is limited', async () => {
    script.refusal = { status: 429, code: 'rate_limited' };
    await client.refusal();
    await expect(refusal()).resolves.toBe('PROVIDER_RATE_LIMITED');
    expect(branchReads()).toBe(0);
  });

  it('never runs beside a turn, and what it read before one is not merged after it', async () => {
    script.text = undefined;
    const outcome = client.open(turnRequest('more', { conversationId }));
    await waitFor(() => outcome.text === 'part');
    await expect(refusal()).resolves.toBe('CONVERSATION_BUSY');
    expect(branchReads()).toBe(0);
    outcome.call?.cancel();
    await waitFor(() => fixture.conversation.turnsOf(conversationId).every(({ end }) => end));

    script.text = 'Hello';
    const stand = script.branch;
    let turn: Promise<unknown> | undefined;
    fixture.upstream.script = async (received) => {
      if (received.path.endsWith('/branch')) await (turn = client.turn('meanwhile', { conversationId }));
      script.branch = stand;
      return script.serve(received);
    };
    await expect(refusal()).resolves.toBe('CONVERSATION_BUSY');
    expect(turn).toBeDefined();
    expect(fixture.conversation.merges).toEqual([]);
  });

  it('waits for an answer that the upstream is still writing', async () => {
    script.branch = () => ({ current_node: 'u1', messages: [{ ...MESSAGE, role: 'assistant', finish_reason: null }] });
    await expect(refusal()).resolves.toBe('CONVERSATION_BUSY');
    expect(fixture.conversation.merges).toEqual([]);
  });

  it('is for those who may use the conversation', async () => {
    await expect(refusal({ ...client.caller, keyId: uuidv7() })).resolves.toBe('CONVERSATION_ACCESS_DENIED');
    await expect(sync(client.caller, uuidv7())).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    expect(branchReads()).toBe(0);
  });

  it('needs the account', async () => {
    const { caller } = client;
    await running.stub.updateConnection({ id: connection.id, enabled: false }, { caller });
    await expect(refusal()).resolves.toBe('ACCOUNT_NOT_ACTIVE');
    await running.stub.deleteConnection({ id: connection.id }, { caller });
    await expect(refusal()).resolves.toBe('ACCOUNT_NOT_ACTIVE');
  });

  it('answers as it is what was never taken upstream', async () => {
    const request = { title: 'New', upstreamAccountId: '', upstreamProjectId: '', model: '', imported: [] };
    const created = await running.stub.createConversation(request, { caller: client.caller });
    await expect(sync(client.caller, created.id)).resolves.toEqual(created);
    expect(branchReads()).toBe(0);
  });

  it('returns the conversation of a stateless upstream unchanged', async () => {
    fixture.upstream.script = answering('ok');
    const stateless = running.as(newCaller());
    await connectAccount(fixture, running, stateless.caller);
    const { accepted } = await stateless.turn('hello');
    const asked = fixture.upstream.received.length;
    const { caller } = stateless;
    await expect(sync(caller, accepted?.conversationId)).resolves.toMatchObject({
      id: accepted?.conversationId,
      continuityStatus: 'available',
    });
    expect(fixture.upstream.received).toHaveLength(asked);
    expect(fixture.conversation.merges).toEqual([]);
  });

  it('finds the project gone, and there again', async () => {
    const id = uuidv7();
    const { workspaceId } = client.caller;
    const setStatus = (status: string) => fixture.sql.query('UPDATE upstream_projects SET status = $2 WHERE id = $1', [id, status]);
    await fixture.sql.query("INSERT INTO upstream_projects (id, workspace_id, connection_id, slug, name) VALUES ($1, $2, $3, 'p', 'p')", [
      id,
      workspaceId,
      connection.id,
    ]);
    conversation().upstreamProjectId = id;
    await expect(client.refusal({ conversationId })).resolves.toBe('');
    await setStatus('deleted');
    await expect(client.refusal({ conversationId })).resolves.toBe('CONVERSATION_PROJECT_UNAVAILABLE');
    await waitFor(() => conversation().continuityStatus === 'project_unavailable');
    await expect(sync()).resolves.toMatchObject({ continuityStatus: 'project_unavailable' });
    await setStatus('active');
    await expect(client.refusal({ conversationId })).resolves.toBe('CONVERSATION_PROJECT_UNAVAILABLE');
    await expect(sync()).resolves.toMatchObject({ continuityStatus: 'available' });
    await expect(client.refusal({ conversationId })).resolves.toBe('');
  });
});
