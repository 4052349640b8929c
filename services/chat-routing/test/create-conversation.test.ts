import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isUuid, uuidv7 } from '@parley/kit/ids/uuid';
import { type Connection, type CreateConversationRequest } from '@parley/protos/routing/v1/routing';
import { type Client } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';
import { SandboxScript } from './sandbox-script.ts';

const message = (role: string, text: string) => ({ role, text, parts: [] });

describe('a conversation that is created', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  let accounts: Record<'one' | 'two' | 'off' | 'foreign', Connection>;
  const projects: Record<string, string> = {};
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
    client = running.as(newCaller());
    const { caller } = client;
    const one = await connectAccount(fixture, running, caller, { label: 'one', models: ['m1', 'shared'] });
    const two = await connectAccount(fixture, running, caller, { label: 'two', models: ['m2', 'shared'] });
    const off = await connectAccount(fixture, running, caller, { label: 'off', models: ['m3'] });
    await running.stub.updateConnection({ id: off.id, enabled: false }, { caller });
    const foreign = await connectAccount(fixture, running, newCaller());
    accounts = { one, two, off, foreign };
    await addProject('bound', one, { bound: true });
    await addProject('unbound', one, {});
    await addProject('gone', one, { bound: true, status: 'deleted' });
    await addProject('foreign', foreign, { bound: true, workspaceId: foreign.workspaceId });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.upstream.script = answering('ok');
  });

  async function addProject(
    slug: string,
    { id: connectionId }: Connection,
    { bound = false, status = 'active', workspaceId = client.caller.workspaceId },
  ): Promise<void> {
    const id = uuidv7();
    projects[slug] = id;
    await fixture.sql.query(
      'INSERT INTO upstream_projects (id, workspace_id, connection_id, slug, name, status) VALUES ($1, $2, $3, $4, $4, $5)',
      [id, workspaceId, connectionId, slug, status],
    );
    if (bound) await fixture.sql.query('INSERT INTO project_bindings (project_id, workspace_id) VALUES ($1, $2)', [id, workspaceId]);
  }

  const create = (over: Partial<CreateConversationRequest> = {}, { caller } = client) =>
    running.stub.createConversation(
      { title: '', upstreamAccountId: '', upstreamProjectId: '', model: '', imported: [], ...over },
      { caller },
    );
  const turnsOf = (conversationId: string) => fixture.conversation.turnsOf(conversationId);

  it('is recorded on one of the accounts, without a call to the upstream', async () => {
    const asked = fixture.upstream.received.length;
    const created = await create({ title: 'Plans' });
    expect(isUuid(created.id)).toBe(true);
    expect(created).toMatchObject({ title: 'Plans', status: 'active', continuityStatus: 'available', upstreamProjectId: '' });
    expect([accounts.one.id, accounts.two.id]).toContain(created.upstreamAccountId);
    expect(created.model).toBe(created.upstreamAccountId === accounts.one.id ? 'm1' : 'm2');
    expect(fixture.upstream.received).toHaveLength(asked);
  });

  it.each<[string, () => Partial<CreateConversationRequest>, 'one' | 'two', string]>([
    ['its id', () => ({ upstreamAccountId: accounts.two.id }), 'two', 'm2'],
    ['the model that only it offers', () => ({ model: 'm2' }), 'two', 'm2'],
    ['its id, with another model', () => ({ upstreamAccountId: accounts.one.id, model: 'shared' }), 'one', 'shared'],
    ['its id, with auto', () => ({ upstreamAccountId: accounts.one.id, model: 'auto' }), 'one', 'm1'],
    ['its project', () => ({ upstreamProjectId: projects['bound'] }), 'one', 'm1'],
  ])('is on the account that is given by %s', async (_name, over, account, model) => {
    const request = over();
    for (let n = 0; n < 3; n++) {
      const projectId = request.upstreamProjectId ?? '';
      await expect(create(request)).resolves.toMatchObject({
        upstreamAccountId: accounts[account].id,
        model,
        upstreamProjectId: projectId,
      });
    }
  });

  it.each<[string, () => Partial<CreateConversationRequest>, string, string?]>([
    ['an unknown account', () => ({ upstreamAccountId: uuidv7() }), 'CONNECTION_NOT_FOUND', 'upstream_account_id'],
    ['an account that is no id', () => ({ upstreamAccountId: 'one' }), 'CONNECTION_NOT_FOUND', 'upstream_account_id'],
    ['an account of another workspace', () => ({ upstreamAccountId: accounts.foreign.id }), 'TENANT_ACCESS_DENIED', 'upstream_account_id'],
    ['a disabled account', () => ({ upstreamAccountId: accounts.off.id }), 'ACCOUNT_NOT_ACTIVE', 'upstream_account_id'],
    ['an unknown model', () => ({ model: 'gpt-99' }), 'INVALID_REQUEST', 'model'],
    ['a model of another account', () => ({ upstreamAccountId: accounts.one.id, model: 'm2' }), 'INVALID_REQUEST', 'model'],
    ['a model of disabled accounts only', () => ({ model: 'm3' }), 'NO_HEALTHY_SESSION'],
    ['an unknown project', () => ({ upstreamProjectId: uuidv7() }), 'PROJECT_NOT_FOUND', 'upstream_project_id'],
    ['the slug of a project', () => ({ upstreamProjectId: 'bound' }), 'PROJECT_NOT_FOUND', 'upstream_project_id'],
    ['a deleted project', () => ({ upstreamProjectId: projects['gone'] }), 'PROJECT_NOT_FOUND', 'upstream_project_id'],
    ['an unbound project', () => ({ upstreamProjectId: projects['unbound'] }), 'UPSTREAM_PROJECT_OUT_OF_SCOPE', 'upstream_project_id'],
    ['a project of another workspace', () => ({ upstreamProjectId: projects['foreign'] }), 'PROJECT_NOT_FOUND', 'upstream_project_id'],
    [
      'a project of another account',
      () => ({ upstreamAccountId: accounts.two.id, upstreamProjectId: projects['bound'] }),
      'VALIDATION_ERROR',
      'upstream_account_id',
    ],
  ])('is refused for %s', async (_name, over, condition, param = undefined) => {
    const before = fixture.conversation.conversations.size;
    const refusal: unknown = await create(over()).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ condition, param });
    expect(fixture.conversation.conversations.size).toBe(before);
  });

  it('needs an account', async () => {
    const stranger = running.as(newCaller());
    await expect(create({}, stranger)).rejects.toMatchObject({ condition: 'ACCOUNT_NOT_CONNECTED' });
  });

  it('needs an account that admits turns, and reports why a selected one does not', async () => {
    const alone = running.as(newCaller());
    const { id: upstreamAccountId } = await connectAccount(fixture, running, alone.caller);
    fixture.upstream.script = refusing(429);
    await alone.refusal();
    await expect(create({}, alone)).rejects.toMatchObject({ condition: 'NO_HEALTHY_SESSION' });
    await expect(create({ upstreamAccountId }, alone)).rejects.toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    fixture.upstream.script = refusing(401);
    const other = running.as(newCaller());
    const expired = await connectAccount(fixture, running, other.caller);
    await other.refusal();
    await other.refusal();
    await expect(create({ upstreamAccountId: expired.id }, other)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED_SELECTED' });
  });

  it('leaves slots and probes to turns', async () => {
    const caller = newCaller();
    const { id } = await connectAccount(fixture, running, caller, { maxConcurrency: 1 });
    for (let n = 0; n < 3; n++) await create({}, running.as(caller));
    await expect(running.as(caller).refusal()).resolves.toBe('');
    await fixture.sql.query(
      `INSERT INTO connection_health (connection_id, openings, open_until) VALUES ($1, 1, now() - interval '1 second')
       ON CONFLICT (connection_id) DO UPDATE SET openings = 1, open_until = excluded.open_until`,
      [id],
    );
    const later = await fixture.start();
    const again = later.as(caller);
    const { id: conversationId } = await later.stub.createConversation(
      { title: '', upstreamAccountId: '', upstreamProjectId: '', model: '', imported: [] },
      { caller },
    );
    await expect(again.refusal({ conversationId })).resolves.toBe('');
    await later.stop();
  });

  it('takes the whole array with its first turn, and only what is new with the next', async () => {
    const { id: conversationId } = await create({ upstreamAccountId: accounts.one.id });
    const earlier = [message('system', 'be brief'), message('user', 'one'), message('assistant', 'eins'), message('user', 'two')];
    await expect(client.turn('', { conversationId, messages: earlier })).resolves.toMatchObject({
      error: undefined,
      accepted: { conversationId },
    });
    const more = [...earlier, message('assistant', 'ok'), message('user', 'three')];
    await expect(client.turn('', { conversationId, messages: more })).resolves.toMatchObject({ error: undefined });
    expect(
      turnsOf(conversationId).map(({ begin }) => [begin.sequence, begin.newConversation, begin.messages.map(({ text }) => text)]),
    ).toEqual([
      [1, undefined, ['be brief', 'one', 'eins', 'two']],
      [2, undefined, ['three']],
    ]);
    const sent = (fixture.upstream.received.at(-1)?.body.messages ?? []) as { content: string }[];
    expect(sent.map(({ content }) => content)).toEqual(['be brief', 'one', 'eins', 'two', 'ok', 'three']);
  });

  it('takes an array that ends with an answer, when it has no turn yet', async () => {
    const { id: conversationId } = await create();
    const messages = [message('user', 'one'), message('assistant', 'eins')];
    await expect(client.turn('', { conversationId, messages })).resolves.toMatchObject({ error: undefined });
    await expect(client.turn('', { conversationId, messages })).resolves.toMatchObject({
      error: { condition: 'VALIDATION_ERROR', param: 'messages' },
    });
  });

  it('begins upstream with its first turn', async () => {
    const script = new SandboxScript();
    fixture.upstream.script = script.serve;
    const keeping = running.as(newCaller());
    const over = { provider: 'sandbox', baseUrl: fixture.upstream.url, account: 'ada', secret: 'right', models: [] };
    await connectAccount(fixture, running, keeping.caller, over);
    const { id: conversationId } = await create({}, keeping);
    for (const text of ['one', 'two']) await expect(keeping.turn(text, { conversationId })).resolves.toMatchObject({ error: undefined });
    expect(script.asked.map(({ path, body }) => [path, body.parent_id])).toEqual([
      ['/api/conversations/new/messages', null],
      ['/api/conversations/c1/messages', 'm1-end'],
    ]);
    expect(fixture.conversation.conversations.get(conversationId)?.upstreamState).toBe(
      JSON.stringify({ conversation: 'c1', message: 'm2-end' }),
    );
  });

  it('may be brought from elsewhere: its messages are sent upstream with the first turn', async () => {
    const imported = [
      { role: 'user', text: 'one' },
      { role: 'assistant', text: 'eins' },
    ];
    const script = new SandboxScript();
    fixture.upstream.script = script.serve;
    const keeping = running.as(newCaller());
    const over = { provider: 'sandbox', baseUrl: fixture.upstream.url, account: 'ada', secret: 'right', models: [] };
    await connectAccount(fixture, running, keeping.caller, over);
    const { id: conversationId } = await create({ imported, title: 'Old' }, keeping);
    expect(fixture.conversation.conversations.get(conversationId)).toMatchObject({ title: 'Old', imported });
    // The client may say again what the conversation has.
    const messages = [...imported, { role: 'user', text: 'two' }].map((said) => ({ ...said, parts: [] }));
    await expect(keeping.turn('', { conversationId, messages })).resolves.toMatchObject({ error: undefined });
    await expect(keeping.turn('three', { conversationId })).resolves.toMatchObject({ error: undefined });
    const textsOf = (at: number) => (script.asked[at]?.body.messages as { role: string; content: string }[]).map(({ content }) => content);
    expect([textsOf(0), textsOf(1)]).toEqual([['one', 'eins', 'two'], ['three']]);
    expect(turnsOf(conversationId)[0]?.begin.messages.map(({ text }) => text)).toEqual(['two']);
  });
});
