import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_WORKSPACE_ID, SANDBOX_ACCOUNTS } from '@parley/protos/bootstrap';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { TestUpstream } from '../src/providers/testing/upstream.ts';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { SandboxScript } from './sandbox-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe('turns on an upstream that keeps conversations', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  let connection: Connection;
  let script: SandboxScript;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    script = new SandboxScript();
    fixture.upstream.script = script.serve;
    client = running.as(newCaller());
    const over = { provider: 'sandbox', baseUrl: fixture.upstream.url, account: 'ada', secret: 'right', models: [] };
    connection = await connectAccount(fixture, running, client.caller, over);
  });
  const conversationOf = (conversationId = '') => fixture.conversation.conversations.get(conversationId);
  const turnsOf = (conversationId = '') => fixture.conversation.turnsOf(conversationId);

  it('leave nothing behind on an account that did not accept them', async () => {
    const lost: string[] = [];
    const removed: string[] = [];
    const other = new SandboxScript();
    const second = await new TestUpstream().listen();
    second.script = other.serve;
    const over = { label: 'second', provider: 'sandbox', baseUrl: second.url, account: 'ada', secret: 'right', models: [] };
    await connectAccount(fixture, running, client.caller, over);
    // Whichever is asked first swallows the turn, and is away when it is asked to remove it for the first time.
    for (const [upstream, { serve }] of [[fixture.upstream, script] as const, [second, other] as const])
      upstream.script = (received) => {
        const { path, method, body, res } = received;
        if (method === 'DELETE') return void (removed.push(path) === 1 ? res.destroy() : res.writeHead(204).end());
        if (!path.endsWith('/messages') || lost.length > 0) return serve(received);
        lost.push(String(body.client_turn_id));
        res.destroy();
      };
    await expect(client.turn('hello')).resolves.toMatchObject({ text: 'Hello', error: undefined });
    await waitFor(() => removed.length === 2);
    expect(removed[1]).toBe(`/api/openings/${lost[0]}`);
    await second.close();
  });

  it('go on where the conversation stands, with only the new messages', async () => {
    const first = await client.turn('one');
    const conversationId = first.accepted?.conversationId;
    expect(first.completed).toMatchObject({ tokensIn: 1, tokensOut: 2 });
    expect(conversationOf(conversationId)?.upstreamState).toBe(JSON.stringify({ conversation: 'c1', message: 'm1-end' }));
    await client.turn('two', { conversationId });
    expect(script.asked.map(({ path, body }) => ({ path, parent: body.parent_id, messages: body.messages }))).toEqual([
      { path: '/api/conversations/new/messages', parent: null, messages: [{ role: 'user', content: 'one', images: [] }] },
      { path: '/api/conversations/c1/messages', parent: 'm1-end', messages: [{ role: 'user', content: 'two', images: [] }] },
    ]);
    expect(script.asked[1]?.body.client_turn_id).toBe(turnsOf(conversationId)[1]?.begin.turnId);
  });

  it.each([true, false])(
    'are stopped upstream when the client leaves, and recorded once with what it says (stream: %p)',
    async (stream) => {
      script.text = undefined;
      const outcome = client.open(turnRequest('hello', { stream }));
      await waitFor(() => script.asked.length === 1);
      const turn = await waitFor(() => [...fixture.conversation.turns.values()].at(-1));
      if (stream) await waitFor(() => outcome.text === 'part');
      outcome.call?.cancel();
      await waitFor(() => turn.end);
      expect(turn).toMatchObject({ ends: 1, end: { status: 'interrupted', tokensIn: 1, tokensOut: 2 } });
      expect(JSON.parse(turn.end?.upstreamState ?? '')).toMatchObject({ conversation: 'c1' });
      expect(outcome.ends).toBe(0);
      script.text = 'again';
      await expect(client.turn('next', { conversationId: turn.begin.conversationId })).resolves.toMatchObject({
        text: 'again',
        error: undefined,
      });
    },
  );

  it.each([
    [404, 'conversation_deleted', 'CONVERSATION_DELETED_UPSTREAM', 'deleted_upstream'],
    [403, 'conversation_access_lost', 'CONVERSATION_ACCESS_LOST', 'access_lost'],
    [409, 'parent_not_found', 'CONVERSATION_CONTINUITY_LOST', 'continuity_lost'],
  ])('%i %s is %s, and the conversation stays %s', async (status, code, condition, continuity) => {
    const { accepted } = await client.turn('hello');
    const conversationId = accepted?.conversationId;
    script.refusal = { status, code };
    await expect(client.turn('more', { conversationId })).resolves.toMatchObject({ recorded: true, error: { condition } });
    await waitFor(() => conversationOf(conversationId)?.continuityStatus === continuity);
    script.refusal = undefined;
    const asked = script.asked.length;
    await expect(client.turn('more', { conversationId })).resolves.toMatchObject({ recorded: false, error: { condition } });
    expect(script.asked).toHaveLength(asked);
    // The account is well: another conversation can begin.
    await expect(client.refusal()).resolves.toBe('');
  });

  it('leaves the breaker alone when images are refused', async () => {
    script.refusal = { status: 403, code: 'image_generation_unavailable' };
    for (let n = 0; n < 6; n++) await expect(client.refusal()).resolves.toBe('IMAGE_GENERATION_UNAVAILABLE');
    script.refusal = undefined;
    await expect(client.refusal()).resolves.toBe('');
  });

  it('expires with its session, everywhere with its own code, until it is connected again', async () => {
    const { accepted } = await client.turn('hello');
    const conversationId = accepted?.conversationId;
    script.sessions.clear();
    await expect(client.turn('more', { conversationId })).resolves.toMatchObject({ error: { condition: 'ACCOUNT_REAUTH_REQUIRED' } });
    await waitFor(() => conversationOf(conversationId)?.continuityStatus === 'session_expired');
    await expect(client.refusal({ conversationId })).resolves.toBe('CONVERSATION_SESSION_EXPIRED');
    await expect(client.refusal({ upstreamAccount: 'main' })).resolves.toBe('ACCOUNT_REAUTH_REQUIRED_SELECTED');
    await expect(client.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
    const list = () => running.stub.listConnections(PAGE, { caller: client.caller });
    await expect(list()).resolves.toMatchObject({ connections: [{ status: 'expired', health: 'unhealthy' }] });

    const caller = client.caller;
    const reconnect = (secret: string) => running.stub.updateConnection({ id: connection.id, secret }, { caller, deadlineMs: 20_000 });
    await expect(reconnect('wrong')).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    await expect(list()).resolves.toMatchObject({ connections: [{ status: 'expired' }] });
    await expect(reconnect('right')).resolves.toMatchObject({ status: 'active', health: 'healthy' });
    await waitFor(() => conversationOf(conversationId)?.continuityStatus === 'available');
    expect(fixture.conversation.cleared).toContain(connection.id);
    await expect(client.refusal({ conversationId })).resolves.toBe('');
  });

  it('is found expired by a test, and well by the next', async () => {
    const { caller } = client;
    const test = () => running.stub.testConnection({ id: connection.id }, { caller, deadlineMs: 20_000 });
    await expect(test()).resolves.toMatchObject({ ok: true, models: ['s1'], connection: { health: 'healthy' } });
    const sessions = [...script.sessions];
    script.sessions.clear();
    await expect(test()).resolves.toMatchObject({ ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED', connection: { status: 'expired' } });
    for (const session of sessions) script.sessions.add(session);
    await expect(test()).resolves.toMatchObject({ ok: true, connection: { status: 'active' } });
    await waitFor(() => fixture.conversation.cleared.includes(connection.id));
  });

  it('cannot go on from a state that is not valid', async () => {
    const { accepted } = await client.turn('hello');
    const conversation = conversationOf(accepted?.conversationId);
    if (conversation) conversation.upstreamState = 'garbage';
    await expect(client.refusal({ conversationId: accepted?.conversationId })).resolves.toBe('CONVERSATION_CONTINUITY_LOST');
  });

  describe('the embedded sandbox', () => {
    const SANDBOX = 'http://127.0.0.1';
    const labels = async () => {
      const sql = 'SELECT label, base_url AS "baseUrl" FROM connections WHERE workspace_id = $1';
      return (await fixture.sql.query<{ label: string; baseUrl: string }>(sql, [DEFAULT_WORKSPACE_ID])).rows;
    };
    /** A start of the service beside the one that looks on. */
    async function startWith(sandboxUrl: string): Promise<Running> {
      return fixture.start({ sandboxUrl });
    }
    const logIn = (received: Parameters<SandboxScript['serve']>[0]) =>
      script.serve({ ...received, body: { ...received.body, ...(received.path === '/api/session' && { password: 'right' }) } });

    it('is connected once it answers, found again at another port, and left alone where an operator changed it', async () => {
      fixture.upstream.script = ({ res }) => void res.writeHead(503).end();
      const first = await startWith(fixture.upstream.url);
      await waitFor(() => fixture.upstream.received.some(({ path }) => path === '/api/session'));
      fixture.upstream.script = logIn;
      await waitFor(async () => (await labels()).length === SANDBOX_ACCOUNTS.length);
      await first.stop();
      await fixture.sql.query(`UPDATE connections SET base_url = '${SANDBOX}:1' WHERE workspace_id = $1`, [DEFAULT_WORKSPACE_ID]);
      const [kept, moved] = SANDBOX_ACCOUNTS;
      await fixture.sql.query(`UPDATE connections SET base_url = 'http://elsewhere.test' WHERE workspace_id = $1 AND label = $2`, [
        DEFAULT_WORKSPACE_ID,
        moved?.label,
      ]);
      const second = await startWith(fixture.upstream.url);
      await waitFor(async () => (await labels()).find(({ label }) => label === kept?.label)?.baseUrl === fixture.upstream.url);
      await second.stop();
      expect((await labels()).find(({ label }) => label === moved?.label)?.baseUrl).toBe('http://elsewhere.test');
      await fixture.sql.query('DELETE FROM connections WHERE workspace_id = $1 AND label = $2', [DEFAULT_WORKSPACE_ID, moved?.label]);
      await fixture.sql.query(`UPDATE connections SET base_url = '${SANDBOX}:1' WHERE workspace_id = $1`, [DEFAULT_WORKSPACE_ID]);
      const third = await startWith(fixture.upstream.url);
      await waitFor(async () => (await labels())[0]?.baseUrl === fixture.upstream.url);
      await third.stop();
      expect((await labels()).some(({ label }) => label === moved?.label)).toBe(false);
    });

    it('does not hold up the end of a service that still waits for it', async () => {
      const waiting = await startWith(`${SANDBOX}:1`);
      await waiting.stop();
    });
  });
});
