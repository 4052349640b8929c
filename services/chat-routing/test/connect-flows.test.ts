import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_CONNECT_LIMITS } from '../src/domain/connect-limits.ts';
import { newCaller, openFixture, type Running, type TestFixture } from './fixture.ts';
import { newAccount, openSignInStage, otherCode, PASSWORD, Person, type SignInStage } from './sign-in-stage.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };
const NOTHING_OPEN = { sessions: 0, challenges: 0 };
/** Expired flows are removed at once. */
const LIMITS = { ...DEFAULT_CONNECT_LIMITS, sweepMs: 50 };

describe('connecting an account that asks for codes', () => {
  let fixture: TestFixture;
  let stage: SignInStage;
  let running: Running;
  let person: Person;
  let account: string;
  let mine: ReturnType<typeof newAccount>;
  beforeAll(async () => {
    fixture = await openFixture();
    stage = await openSignInStage();
    running = await fixture.start({ sandboxUrl: stage.url }, { connectLimits: LIMITS });
  });
  afterAll(async () => {
    await fixture.close();
    await stage.close();
  });
  beforeEach(async () => {
    stage.proxy.resume();
    person = new Person(running, newCaller());
    account = await stage.account();
    mine = newAccount(stage, account);
  });
  const connections = async () => (await running.stub.listConnections(PAGE, { caller: person.caller })).connections;
  const row = async (id = person.id) =>
    (await fixture.sql.query<{ state: Buffer | null }>('SELECT * FROM connect_flows WHERE id = $1', [id])).rows[0];
  const logIn = (password = PASSWORD) => person.answer({ account, password });
  /** To the last question: the code of the app. */
  const toLast = async (over: Parameters<Person['begin']>[0] = {}) => {
    await person.begin(over);
    await logIn();
    await person.answer({ code: await mine.code() });
    await person.answer({ factor: 'app' });
  };
  const connect = async (over: Parameters<Person['begin']>[0] = {}) => {
    await toLast(over);
    return person.answer({ code: await mine.app() });
  };

  it('asks for account and password, a code, the second factor and its code, and then chats', async () => {
    await expect(person.begin()).resolves.toMatchObject({
      ...{ provider: 'sandbox', connectionId: '', status: 'open', reason: '' },
      step: {
        ...{ number: 1, kind: 'password', triesLeft: 5, actions: [] },
        fields: [
          { name: 'account', kind: 'text', required: true },
          { name: 'password', kind: 'password', required: true },
        ],
      },
    });
    await expect(logIn()).resolves.toMatchObject({
      ...{ status: 'open' },
      step: {
        ...{ number: 2, kind: 'one_time_code', message: 'Enter the code that was sent to p…@sandbox.test.', triesLeft: 5 },
        ...{ fields: [{ name: 'code', kind: 'one_time_code' }], actions: [{ name: 'resend' }] },
      },
    });
    const code = await mine.code();
    await expect(person.answer({ code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).resolves.toMatchObject({
      step: { number: 3, kind: 'choice', fields: [{ name: 'factor', choices: [{ value: 'app' }, { value: 'email' }] }] },
    });
    await expect(person.answer({ factor: 'app' })).resolves.toMatchObject({ step: { number: 4, kind: 'one_time_code' } });
    await expect(connections()).resolves.toEqual([]);
    const done = await person.answer({ code: await mine.app() });
    const connection = {
      label: 'sandbox',
      provider: 'sandbox',
      status: 'active',
      health: 'healthy',
      models: ['sandbox-1', 'sandbox-mini'],
    };
    expect(done).toMatchObject({ status: 'done', step: { number: 5, kind: 'done', fields: [], triesLeft: 0 }, connection });
    await expect(mine.open()).resolves.toEqual({ sessions: 1, challenges: 0 });
    await expect(running.as(person.caller).refusal()).resolves.toBe('');
    // How it ended can be read again; there is nothing left to answer.
    await expect(person.look()).resolves.toMatchObject({ status: 'done', connection: { id: done.connection?.id } });
    await expect(person.refusal({ code: '000000' })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
    await expect(person.cancel()).rejects.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
    await expect(row()).resolves.toMatchObject({ status: 'done', state: null });
  });

  it('takes an account without codes in one step, under the label that was chosen or a free one', async () => {
    account = await stage.account(null);
    await person.begin({ label: 'mine' });
    await expect(logIn()).resolves.toMatchObject({ status: 'done', connection: { label: 'mine' } });
    for (const label of ['sandbox', 'sandbox-2']) {
      await person.begin();
      await expect(logIn()).resolves.toMatchObject({ connection: { label } });
    }
    await expect(person.begin({ label: 'mine' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'label' });
    await expect(person.begin({ label: 'not a label' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'label' });
    await expect(person.begin({ provider: 'unknown' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'provider' });
  });

  it('sends another code, goes back to the other factor, and takes it', async () => {
    await person.begin();
    await logIn();
    const { length } = (await stage.sandbox.codes(account)).mails;
    await person.act('resend');
    expect((await stage.sandbox.codes(account)).mails).toHaveLength(length + 1);
    await person.answer({ code: await mine.code() });
    await person.answer({ factor: 'app' });
    await expect(person.act('other_factor')).resolves.toMatchObject({ step: { kind: 'choice' } });
    await expect(person.answer({ factor: 'email' })).resolves.toMatchObject({
      step: { kind: 'one_time_code', actions: [{ name: 'resend' }, { name: 'other_factor' }] },
    });
    await expect(person.answer({ code: await mine.code() })).resolves.toMatchObject({ status: 'done' });
  });

  it('counts what the upstream refuses, and has failed at the fifth time', async () => {
    await person.begin();
    await expect(person.refusal({ account, password: 'guess' })).resolves.toMatchObject({
      ...{ condition: 'CONNECT_REFUSED', message: 'the account name or the password is wrong; 4 tries are left' },
    });
    await expect(person.look()).resolves.toMatchObject({ status: 'open', step: { number: 1, kind: 'password', triesLeft: 4 } });
    await logIn();
    const wrong = otherCode(await mine.code());
    for (const message of [
      'the code is wrong; 3 tries are left',
      'the code is wrong; 2 tries are left',
      'the code is wrong; 1 try is left',
    ])
      await expect(person.refusal({ code: wrong })).resolves.toMatchObject({ condition: 'CONNECT_REFUSED', message });
    await expect(person.refusal({ code: wrong })).resolves.toMatchObject({
      ...{ condition: 'CONNECT_REFUSED', message: 'the code is wrong; no tries are left, begin another flow' },
    });
    const failed = await person.look();
    expect(failed).toMatchObject({ status: 'failed', reason: 'the code is wrong' });
    expect(failed.step).toBeUndefined();
    await expect(person.refusal({ code: await mine.code() })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
    await expect(row()).resolves.toMatchObject({ state: null });
    await waitFor(async () => (await mine.open()).challenges === 0);
    await expect(connections()).resolves.toEqual([]);
  });

  it.each<[string, Record<string, string>, { action?: string; step?: number }, string]>([
    ['a field that is missing', { account: 'a' }, {}, 'password'],
    ['a field that there is not', { account: 'a', password: 'p', code: '1' }, {}, 'code'],
    ['too long a value', { account: 'a'.repeat(257), password: 'p' }, {}, 'account'],
    ['control characters', { account: 'a\u0000b', password: 'p' }, {}, 'account'],
    ['an action that there is not', {}, { action: 'resend' }, 'action'],
    ['a step that is over', { account: 'a', password: 'p' }, { step: 7 }, 'step'],
  ])('does not count %s', async (_name, answers, over, param) => {
    await person.begin();
    await expect(person.refusal(answers, over)).resolves.toMatchObject({ condition: 'CONNECT_STEP_INVALID', param });
    await expect(person.look()).resolves.toMatchObject({ step: { triesLeft: 5 } });
  });

  it('is there for its session and its workspace only', async () => {
    await person.begin();
    const strangers = [
      Object.assign(new Person(running, person.caller, 'session-2'), { flow: person.flow }),
      Object.assign(new Person(running, newCaller()), { flow: person.flow }),
      Object.assign(new Person(running, person.caller), { flow: { ...person.flow, id: '01900000-0000-7000-8000-000000000009' } }),
      Object.assign(new Person(running, person.caller), { flow: { ...person.flow, id: 'unknown' } }),
    ];
    for (const stranger of strangers) {
      await expect(stranger.look()).rejects.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
      await expect(stranger.cancel()).rejects.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
      await expect(stranger.refusal({ account, password: PASSWORD })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
    }
    person.sessionId = '';
    await expect(person.look()).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'session_id' });
    person.sessionId = 'session-1';
    await expect(logIn()).resolves.toMatchObject({ step: { kind: 'one_time_code' } });
  });

  it('lets two answers to one step have one effect, on whichever replicas', async () => {
    const other = await fixture.start({ sandboxUrl: stage.url }, { connectLimits: LIMITS });
    await toLast();
    const code = await mine.app();
    const twin = Object.assign(new Person(other, person.caller), { flow: person.flow });
    const [one, two] = await Promise.allSettled([person.answer({ code }), twin.answer({ code })]);
    const outcomes = [one, two].map((result) =>
      result.status === 'fulfilled' ? result.value.status : (result.reason as { condition: string }).condition,
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(['CONNECT_FLOW_BUSY', 'CONNECT_FLOW_NOT_FOUND']).toContain(outcomes.find((outcome) => outcome !== 'done'));
    await expect(connections()).resolves.toHaveLength(1);
    await expect(mine.open()).resolves.toEqual({ sessions: 1, challenges: 0 });

    // Wrong ones count once as well.
    await person.begin();
    twin.flow = person.flow;
    const guesses = await Promise.all([person, twin].map((each) => each.refusal({ account, password: 'guess' })));
    const counted = guesses.filter(({ condition }) => condition === 'CONNECT_REFUSED').length;
    await expect(person.look()).resolves.toMatchObject({ step: { triesLeft: 5 - counted } });
    await other.stop();
  });

  it('refuses an answer while another one is checked, and goes on when that one was lost with its process', async () => {
    await person.begin();
    await stage.sandbox.control('POST', `/accounts/${account}/faults`, { fault: 'silent', on: 'sign_in' });
    const first = person.refusal({ account, password: PASSWORD });
    await waitFor(async () => (await stage.sandbox.report(account)).faults.length === 0);
    await expect(person.refusal({ account, password: PASSWORD })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_BUSY' });
    stage.proxy.cut();
    await expect(first).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    stage.proxy.resume();
    // As if the process had died before it gave the claim back.
    const claim = (until: string) =>
      fixture.sql.query(`UPDATE connect_flows SET claim = gen_random_uuid(), claimed_until = ${until} WHERE id = $1`, [person.id]);
    await claim(`now() + interval '1 hour'`);
    await expect(person.refusal({ account, password: PASSWORD })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_BUSY' });
    await claim('now()');
    await expect(logIn()).resolves.toMatchObject({ step: { kind: 'one_time_code', triesLeft: 5 } });
  });

  it('gives up an upstream that says nothing, without counting', async () => {
    const hasty = await fixture.start({ sandboxUrl: stage.url }, { connectLimits: { ...LIMITS, stepMs: 50 } });
    await person.begin();
    await stage.sandbox.control('POST', `/accounts/${account}/faults`, { fault: 'silent', on: 'sign_in', count: -1 });
    person.running = hasty;
    await expect(person.refusal({ account, password: PASSWORD })).resolves.toMatchObject({ condition: 'PROVIDER_TIMEOUT' });
    await expect(person.look()).resolves.toMatchObject({ step: { number: 1, triesLeft: 5 } });
    await hasty.stop();
  });

  it('goes on at another replica', async () => {
    const other = await fixture.start({ sandboxUrl: stage.url }, { connectLimits: LIMITS });
    await person.begin();
    person.running = other;
    await logIn();
    person.running = running;
    await person.answer({ code: await mine.code() });
    person.running = other;
    await person.answer({ factor: 'app' });
    await other.stop();
    person.running = running;
    await expect(person.answer({ code: await mine.app() })).resolves.toMatchObject({ status: 'done' });
  });

  describe('when the upstream is away', () => {
    it('says so without counting, and takes the same answer later', async () => {
      await person.begin();
      await logIn();
      stage.proxy.cut();
      const code = await mine.code();
      await expect(person.refusal({ code })).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
      await expect(person.look()).resolves.toMatchObject({ step: { number: 2, triesLeft: 5 } });
      stage.proxy.resume();
      await expect(person.answer({ code })).resolves.toMatchObject({ step: { kind: 'choice', triesLeft: 5 } });
    });

    it.each(['server_error', 'bad_gateway_html', 'rate_limited', 'cut'])('does not count %s', async (fault) => {
      await person.begin();
      await stage.sandbox.control('POST', `/accounts/${account}/faults`, { fault, on: 'sign_in' });
      await expect(person.refusal({ account, password: PASSWORD })).resolves.toMatchObject({
        condition: expect.stringMatching(/^PROVIDER_(UNAVAILABLE|BAD_ANSWER|RATE_LIMITED)$/),
      });
      await expect(logIn()).resolves.toMatchObject({ step: { kind: 'one_time_code', triesLeft: 5 } });
    });

    it('goes on where the upstream is when an answer of it was lost', async () => {
      await person.begin();
      await logIn();
      const code = await mine.code();
      await stage.sandbox.control('POST', `/accounts/${account}/faults`, { fault: 'lost_answer', on: 'sign_in' });
      await expect(person.refusal({ code })).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
      await expect(person.answer({ code })).resolves.toMatchObject({ step: { kind: 'choice', triesLeft: 5 } });
    });

    it('begins again when its sign-in is over there', async () => {
      account = await stage.account({ one_time_code: true, ttl_ms: 0 });
      await person.begin();
      await logIn();
      await expect(person.answer({ code: '000000' })).resolves.toMatchObject({
        step: { kind: 'password', message: expect.stringMatching(/^Signing in took too long/), triesLeft: 5 },
      });
    });
  });

  describe('a flow that is abandoned', () => {
    it('leaves nothing when it is cancelled', async () => {
      await person.begin();
      await logIn();
      await expect(mine.open()).resolves.toEqual({ sessions: 0, challenges: 1 });
      await person.cancel();
      await waitFor(async () => (await mine.open()).challenges === 0);
      await expect(row()).resolves.toBeUndefined();
      await expect(person.look()).rejects.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
      await expect(connections()).resolves.toEqual([]);
    });

    it('leaves nothing when its time is over, also where the upstream was away', async () => {
      await toLast();
      stage.proxy.cut();
      await fixture.sql.query(`UPDATE connect_flows SET expires_at = now() WHERE id = $1`, [person.id]);
      await expect(person.look()).rejects.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
      await expect(person.refusal({ code: '000000' })).resolves.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
      await waitFor(async () => (await row()) === undefined);
      stage.proxy.resume();
      await waitFor(async () => (await mine.open()).challenges === 0);
      await expect(connections()).resolves.toEqual([]);
    });

    it('leaves nothing when it is cancelled during its last answer', async () => {
      await toLast();
      const holding = await fixture.sql.connect();
      await holding.query('BEGIN; LOCK TABLE connections IN SHARE MODE');
      const last = person.refusal({ code: await mine.app() });
      await waitFor(async () => (await mine.open()).sessions === 1);
      await person.cancel();
      await holding.query('COMMIT');
      holding.release();
      await expect(last).resolves.toMatchObject({ condition: 'CONNECT_FLOW_NOT_FOUND' });
      await waitFor(async () => (await mine.open()).sessions === 0);
      await expect(mine.open()).resolves.toEqual(NOTHING_OPEN);
      await expect(connections()).resolves.toEqual([]);
    });

    it('leaves nothing when its label was taken meanwhile', async () => {
      const late = new Person(running, person.caller);
      await late.begin({ label: 'mine' });
      const plain = await stage.account(null);
      await person.begin({ label: 'mine' });
      await person.answer({ account: plain, password: PASSWORD });
      person.flow = late.flow;
      await logIn();
      await person.answer({ code: await mine.code() });
      await person.answer({ factor: 'app' });
      await expect(person.refusal({ code: await mine.app() })).resolves.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'label' });
      await expect(person.look()).resolves.toMatchObject({ status: 'failed', reason: expect.stringContaining('mine') });
      await waitFor(async () => (await mine.open()).sessions === 0);
      await expect(connections()).resolves.toHaveLength(1);
    });

    it('gives way when its session begins a sixth one', async () => {
      const first = await person.begin();
      for (let n = 0; n < 5; n++) await person.begin();
      await waitFor(async () => (await row(first.id)) === undefined);
      await expect(person.look()).resolves.toMatchObject({ status: 'open' });
    });
  });

  describe('reconnecting', () => {
    it('keeps id, label and conversations of an account whose session is over', async () => {
      const { connection } = await connect({ label: 'mine' });
      const client = running.as(person.caller);
      const { accepted } = await client.turn('remember the word lighthouse');
      const conversationId = accepted?.conversationId;
      await stage.sandbox.control('POST', `/accounts/${account}/expire-sessions`);
      await expect(client.refusal({ conversationId })).resolves.toBe('ACCOUNT_REAUTH_REQUIRED');
      await waitFor(async () => (await connections())[0]?.status === 'expired');

      const connectionId = connection?.id ?? '';
      await expect(person.begin({ connectionId })).resolves.toMatchObject({ provider: 'sandbox', connectionId });
      await logIn();
      await person.answer({ code: await mine.code() });
      await person.answer({ factor: 'email' });
      await expect(person.answer({ code: await mine.code() })).resolves.toMatchObject({
        ...{ status: 'done', connectionId },
        connection: { id: connectionId, label: 'mine', status: 'active', health: 'healthy' },
      });
      await expect(connections()).resolves.toHaveLength(1);
      await waitFor(() => fixture.conversation.cleared.includes(connectionId));
      const more = await client.turn('more', { conversationId });
      expect(more).toMatchObject({ error: undefined, accepted: { conversationId } });
      const [upstream] = (await stage.sandbox.report(account)).conversations;
      expect(upstream?.nodes).toBe(4);
    });

    it('is of the same account', async () => {
      const { connection } = await connect();
      const other = await stage.account(null);
      await person.begin({ connectionId: connection?.id ?? '' });
      await expect(person.refusal({ account: other, password: PASSWORD })).resolves.toMatchObject({
        ...{ condition: 'CONNECT_REFUSED', message: 'this is another account than the one that is reconnected; 4 tries are left' },
      });
      await expect(newAccount(stage, other).open()).resolves.toEqual(NOTHING_OPEN);
    });

    it('is of a connection that the workspace has, which keeps its label', async () => {
      const { connection } = await connect();
      const connectionId = connection?.id ?? '';
      await expect(person.begin({ connectionId, label: 'new' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'label' });
      await expect(person.begin({ connectionId, provider: 'openai' })).rejects.toMatchObject({
        condition: 'VALIDATION_ERROR',
        param: 'provider',
      });
      await expect(new Person(running, newCaller()).begin({ connectionId })).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
      await person.begin({ connectionId });
      await running.stub.deleteConnection({ id: connectionId }, { caller: person.caller });
      await logIn();
      await person.answer({ code: await mine.code() });
      await person.answer({ factor: 'email' });
      await expect(person.refusal({ code: await mine.code() })).resolves.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
      await expect(person.look()).resolves.toMatchObject({ status: 'failed' });
      // That of the connection that was removed is not ours to close.
      await waitFor(async () => (await mine.open()).sessions === 1);
    });
  });

  it('is refused by CreateConnection, which can ask for no code', async () => {
    const request = { provider: 'sandbox', label: 'x', baseUrl: stage.url, account, secret: PASSWORD, models: [], isDefault: false };
    const rest = { pass: [], defaultModel: '', aliases: {}, takeBack: false };
    await expect(running.stub.createConnection({ ...request, ...rest }, { caller: person.caller })).rejects.toMatchObject({
      ...{ condition: 'VALIDATION_ERROR', message: 'this account asks for a code: connect it step by step' },
    });
    await expect(mine.open()).resolves.toEqual(NOTHING_OPEN);
  });
});
