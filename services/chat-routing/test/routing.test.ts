import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Connection, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, listing, refusing } from './openai-script.ts';
import { lastTurn } from './turn-fixture.ts';

describe('the route of a turn', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  let accounts: Record<'one' | 'two' | 'off', Connection>;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
    client = running.as(newCaller());
    const { caller } = client;
    const one = await connectAccount(fixture, running, caller, { label: 'one', models: ['m1', 'shared'] });
    const two = await connectAccount(fixture, running, caller, { label: 'two', models: ['m2', 'shared'] });
    const off = await connectAccount(fixture, running, caller, { label: 'off', models: ['m3'] });
    await running.stub.updateConnection({ id: off.id, enabled: false }, { caller });
    accounts = { one, two, off };
    await addProject('bound', one.id, { bound: true });
    await addProject('unbound', one.id, {});
    await addProject('gone', one.id, { bound: true, status: 'deleted' });
    await addProject('both', one.id, {});
    await addProject('both', two.id, { bound: true });
    await running.stub.putRouteProfile(
      { slug: 'prefers-two', accountLabels: ['two', 'one'], model: 'shared', strategy: '', weights: [] },
      { caller },
    );
    await running.stub.putRouteProfile({ slug: 'only-one', accountLabels: ['one'], model: '', strategy: '', weights: [] }, { caller });
    const weighted = { slug: 'mostly-two', accountLabels: ['one', 'two'], model: 'shared', strategy: 'weighted', weights: [1, 9] };
    await running.stub.putRouteProfile(weighted, { caller });
    await running.stub.putRouteProfile({ slug: 'any', accountLabels: [], model: '', strategy: '', weights: [] }, { caller });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.upstream.script = answering('ok');
  });

  async function addProject(slug: string, connectionId: string, { bound = false, status = 'active' }): Promise<void> {
    const id = uuidv7();
    const { workspaceId } = client.caller;
    const values = [id, workspaceId, connectionId, slug, status];
    await fixture.sql.query(
      'INSERT INTO upstream_projects (id, workspace_id, connection_id, slug, name, status) VALUES ($1, $2, $3, $4, $4, $5)',
      values,
    );
    if (bound) await fixture.sql.query('INSERT INTO project_bindings (project_id, workspace_id) VALUES ($1, $2)', [id, workspaceId]);
  }

  /** Label of the account that took the turn. */
  async function accountOf(over: Partial<TurnRequest>): Promise<string> {
    const outcome = await client.turn('hello', over);
    expect(outcome.error).toBeUndefined();
    const id = fixture.conversation.conversations.get(outcome.accepted?.conversationId ?? '')?.upstreamAccountId;
    return Object.entries(accounts).find(([, account]) => account.id === id)?.[0] ?? '';
  }

  it.each<[string, Partial<TurnRequest>, string, string?]>([
    ['an unknown model', { model: 'gpt-99' }, 'INVALID_REQUEST', 'model'],
    ['a model that the selected account does not offer', { model: 'm2', upstreamAccount: 'one' }, 'INVALID_REQUEST', 'model'],
    ['attachments', { attachmentFileIds: ['file_x'] }, 'ASSET_NOT_FOUND', 'attachment_file_ids'],
    ['an unknown conversation', { conversationId: uuidv7() }, 'CONVERSATION_NOT_FOUND'],
    ['an unknown project', { upstreamProject: 'nowhere' }, 'UPSTREAM_PROJECT_NOT_FOUND', 'X-Service-Upstream-Project'],
    ['the id of a project', { upstreamProject: uuidv7() }, 'UPSTREAM_PROJECT_NOT_FOUND', 'X-Service-Upstream-Project'],
    ['a deleted project', { upstreamProject: 'gone' }, 'UPSTREAM_PROJECT_NOT_FOUND', 'X-Service-Upstream-Project'],
    ['an unbound project', { upstreamProject: 'unbound' }, 'UPSTREAM_PROJECT_OUT_OF_SCOPE', 'X-Service-Upstream-Project'],
    ['an upstream project in the header of internal ones', { project: 'bound' }, 'WRONG_PROJECT_HEADER', 'X-Service-Project'],
    ['an unknown internal project', { project: 'nowhere' }, 'INTERNAL_PROJECT_NOT_FOUND', 'X-Service-Project'],
    ['an unknown profile', { routeProfile: 'nowhere' }, 'ROUTE_PROFILE_NOT_FOUND', 'X-Service-Route-Profile'],
    ['an unknown label', { upstreamAccount: 'nowhere' }, 'CONNECTION_NOT_FOUND', 'X-Service-Upstream-Account'],
    ['a disabled account', { upstreamAccount: 'off' }, 'ACCOUNT_NOT_ACTIVE', 'X-Service-Upstream-Account'],
    [
      'a project of another account',
      { upstreamAccount: 'two', upstreamProject: 'bound' },
      'VALIDATION_ERROR',
      'X-Service-Upstream-Account',
    ],
    ['a profile without the account', { upstreamAccount: 'two', routeProfile: 'only-one' }, 'VALIDATION_ERROR', 'X-Service-Route-Profile'],
    ['a model of disabled accounts only', { model: 'm3' }, 'NO_HEALTHY_SESSION'],
  ])('refuses %s', async (_name, over, condition, param = undefined) => {
    const before = fixture.conversation.turns.size;
    const asked = fixture.upstream.received.length;
    const outcome = await client.turn('hello', over);
    expect(outcome).toMatchObject({ accepted: undefined, recorded: false, ends: 1 });
    expect({ condition: outcome.error?.condition, param: outcome.error?.param }).toEqual({ condition, param });
    expect([fixture.conversation.turns.size, fixture.upstream.received.length]).toEqual([before, asked]);
  });

  it('refuses a workspace without accounts', async () => {
    await expect(running.as(newCaller()).refusal()).resolves.toBe('ACCOUNT_NOT_CONNECTED');
    await expect(running.as(newCaller({ workspaceId: '' })).refusal()).resolves.toBe('ACCOUNT_NOT_CONNECTED');
  });

  it('does not repeat a long name of a model', async () => {
    const outcome = await client.turn('hello', { model: 'x'.repeat(1_000_000) });
    expect(outcome.error?.message.length).toBeLessThan(500);
  });

  it.each<[string, Partial<TurnRequest>, string, string]>([
    ['by its label', { upstreamAccount: 'two' }, 'two', 'named'],
    ['by the model that only it offers', { model: 'm2' }, 'two', 'only'],
    ['by its project', { upstreamProject: 'bound' }, 'one', 'project'],
    ['by the project that is bound, of two with the same slug', { upstreamProject: 'both' }, 'two', 'project'],
    ['by the preference of a profile', { routeProfile: 'prefers-two' }, 'two', 'profile'],
    ['by the accounts of a profile', { routeProfile: 'only-one' }, 'one', 'profile'],
  ])('chooses the account %s, and records why', async (_name, over, label, reason) => {
    for (let n = 0; n < 3; n++) await expect(accountOf(over)).resolves.toBe(label);
    expect(lastTurn(fixture)?.end?.routeReason).toBe(reason);
  });

  it('chooses any healthy account otherwise, and answers with the model that it took', async () => {
    const outcome = await client.turn('hello', { routeProfile: 'any' });
    expect(['m1', 'm2']).toContain(outcome.accepted?.model);
    expect(lastTurn(fixture)?.end?.routeReason).toBe('healthiest');
    await expect(client.turn('hello', { model: 'shared' })).resolves.toMatchObject({ accepted: { model: 'shared' } });
    await expect(client.turn('hello', { routeProfile: 'prefers-two' })).resolves.toMatchObject({ accepted: { model: 'shared' } });
  });

  it('chooses by the weights of a profile', async () => {
    const labels = await Promise.all(Array.from({ length: 60 }, () => accountOf({ routeProfile: 'mostly-two' })));
    const share = labels.filter((label) => label === 'two').length / labels.length;
    expect(share).toBeGreaterThan(0.6);
  });

  it('takes the default account where it is about as good as another', async () => {
    const { caller } = client;
    for (const label of ['two', 'one'] as const) {
      await running.stub.updateConnection({ id: accounts[label].id, isDefault: true }, { caller });
      // A latency peak of many turns at once fades with the turns that follow.
      await waitFor(async () => {
        await accountOf({ upstreamAccount: label });
        for (let n = 0; n < 5; n++) if ((await accountOf({ model: 'shared' })) !== label) return false;
        return true;
      });
    }
    await running.stub.updateConnection({ id: accounts.one.id, isDefault: false }, { caller });
  });

  it('spreads turns that run at the same time', async () => {
    fixture.upstream.script = () => undefined;
    const open = Array.from({ length: 20 }, () => client.open(turnRequest('hello', { model: 'shared' })));
    const begun = () => [...fixture.conversation.turns.values()].slice(-open.length);
    await waitFor(() => begun().every(({ begin, end }) => begin.model === 'shared' && !end));
    const on = (id: string) => begun().filter(({ begin }) => begin.upstreamAccountId === id).length;
    expect(on(accounts.one.id) + on(accounts.two.id)).toBe(open.length);
    expect(Math.min(on(accounts.one.id), on(accounts.two.id))).toBeGreaterThan(0);
    for (const { call } of open) call?.cancel();
    await waitFor(() => begun().every(({ end }) => end?.status === 'interrupted'));
  });

  describe('of a conversation that goes on', () => {
    let conversationId: string;
    beforeAll(async () => {
      fixture.upstream.script = answering('ok');
      conversationId = (await client.turn('hello', { upstreamAccount: 'one' })).accepted?.conversationId ?? '';
    });
    const setContinuity = (status: string) => {
      const conversation = fixture.conversation.conversations.get(conversationId);
      if (conversation) conversation.continuityStatus = status;
    };

    it.each<[string, Partial<TurnRequest>, string, string?]>([
      ['another account', { upstreamAccount: 'two' }, 'VALIDATION_ERROR', 'X-Service-Upstream-Account'],
      ['an unknown account', { upstreamAccount: 'nowhere' }, 'CONNECTION_NOT_FOUND', 'X-Service-Upstream-Account'],
      ['another project', { upstreamProject: 'bound' }, 'VALIDATION_ERROR', 'X-Service-Upstream-Project'],
      ['an unknown project', { upstreamProject: 'nowhere' }, 'UPSTREAM_PROJECT_NOT_FOUND', 'X-Service-Upstream-Project'],
      ['an unknown profile', { routeProfile: 'nowhere' }, 'ROUTE_PROFILE_NOT_FOUND', 'X-Service-Route-Profile'],
      ['a model that its account does not offer', { model: 'm2' }, 'INVALID_REQUEST', 'model'],
    ])('refuses %s', async (_name, over, condition, param = undefined) => {
      const { error } = await client.turn('hello', { conversationId, ...over });
      expect({ condition: error?.condition, param: error?.param }).toEqual({ condition, param });
    });

    it.each([
      ['its own account', { upstreamAccount: 'one' }],
      ['a profile that includes it', { routeProfile: 'only-one' }],
      ['another model of it', { model: 'shared' }],
    ])('takes %s', async (_name, over) => {
      await expect(client.refusal({ conversationId, ...over })).resolves.toBe('');
      expect(lastTurn(fixture)?.end?.routeReason).toBe('continued');
    });

    it('is refused to another key', async () => {
      const other = running.as({ ...client.caller, keyId: uuidv7() });
      await expect(other.refusal({ conversationId })).resolves.toBe('CONVERSATION_ACCESS_DENIED');
    });

    it.each([
      ['deleted_upstream', 'CONVERSATION_DELETED_UPSTREAM'],
      ['access_lost', 'CONVERSATION_ACCESS_LOST'],
      ['continuity_lost', 'CONVERSATION_CONTINUITY_LOST'],
      ['project_unavailable', 'CONVERSATION_PROJECT_UNAVAILABLE'],
      // The passing states follow from the account, which is well.
      ['session_expired', ''],
      ['upstream_unavailable', ''],
    ])('with the status %s answers %j', async (status, condition) => {
      setContinuity(status);
      await expect(client.refusal({ conversationId })).resolves.toBe(condition);
      const statusNow = () => fixture.conversation.conversations.get(conversationId)?.continuityStatus;
      // What was noted too late to be cleared with the account goes with the first turn that is answered.
      if (condition === '') await waitFor(() => statusNow() === 'available');
      else expect(statusNow()).toBe(status);
      setContinuity('available');
    });

    it('keeps to its model for as long as the account offers it', async () => {
      const { caller } = client;
      fixture.upstream.script = listing('old');
      const changing = await connectAccount(fixture, running, caller, { label: 'changing', models: [] });
      fixture.upstream.script = answering('ok');
      const begun = await client.turn('hello', { upstreamAccount: 'changing' });
      const goOn = () => client.turn('more', { conversationId: begun.accepted?.conversationId });
      await expect(goOn()).resolves.toMatchObject({ accepted: { model: 'old' } });
      await running.stub.updateConnection({ id: changing.id, secret: 'sk-2' }, { caller, deadlineMs: 20_000 });
      await expect(goOn()).resolves.toMatchObject({ accepted: { model: 'm1' }, error: undefined });
      await running.stub.deleteConnection({ id: changing.id }, { caller });
      await expect(goOn()).resolves.toMatchObject({ error: { condition: 'CONVERSATION_ACCESS_LOST' } });
    });
  });

  it('has no account left when the only one is limited', async () => {
    const alone = running.as(newCaller());
    await connectAccount(fixture, running, alone.caller);
    fixture.upstream.script = refusing(429);
    await expect(alone.refusal()).resolves.toBe('PROVIDER_RATE_LIMITED');
    await expect(alone.refusal()).resolves.toBe('NO_HEALTHY_SESSION');
    const selected = await alone.turn('hello', { upstreamAccount: 'main' });
    expect(selected.error).toMatchObject({ condition: 'PROVIDER_RATE_LIMITED' });
    expect(selected.error?.retryAfterMs).toBeGreaterThan(200_000);
  });
});
