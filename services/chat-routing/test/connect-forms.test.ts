import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_CONNECT_LIMITS } from '../src/domain/connect-limits.ts';
import { newCaller, openFixture, type Running, type TestFixture } from './fixture.ts';
import { answering, divided, explaining, listing, refusing } from './openai-script.ts';
import { Person } from './sign-in-stage.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };

describe('connecting an account with a form', () => {
  let fixture: TestFixture;
  let running: Running;
  let person: Person;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.upstream.script = answering('ok');
    fixture.upstream.received.length = 0;
    person = new Person(running, newCaller());
  });
  const url = () => `${fixture.upstream.url}/v1`;
  const connections = async () => (await running.stub.listConnections(PAGE, { caller: person.caller })).connections;
  const connect = async (over: Record<string, string> = {}) => {
    await person.begin({ provider: 'openai-compatible' });
    return person.answer({ base_url: url(), api_key: 'sk-1', ...over });
  };

  it('asks for what the provider needs', async () => {
    await expect(person.begin({ provider: 'openai-compatible' })).resolves.toMatchObject({
      status: 'open',
      step: {
        ...{ number: 1, kind: 'password', triesLeft: 5 },
        fields: [
          { name: 'base_url', kind: 'url', required: true },
          { name: 'api_key', kind: 'password', required: false },
          { name: 'models', kind: 'text', required: false },
        ],
      },
    });
    await expect(person.begin({ provider: 'openai' })).resolves.toMatchObject({
      step: {
        fields: [
          { name: 'base_url', required: false, placeholder: 'https://api.openai.com/v1' },
          { name: 'api_key', required: true },
        ],
      },
    });
    await expect(person.begin({ provider: 'bedrock' })).resolves.toMatchObject({
      step: { fields: [{ name: 'account', required: true }, { name: 'base_url' }, { name: 'api_key' }, { name: 'models' }] },
    });
  });

  it('proves the form, connects, and chats', async () => {
    await expect(connect({ api_key: ' sk-1\n' })).resolves.toMatchObject({
      status: 'done',
      connection: { label: 'openai-compatible', models: ['m1', 'm2'], status: 'active', health: 'healthy', baseUrl: url() },
    });
    expect(fixture.upstream.received).toMatchObject([{ path: '/v1/models', headers: { authorization: 'Bearer sk-1' } }]);
    await expect(running.as(person.caller).refusal()).resolves.toBe('');
    expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-1');
  });

  it('connects OpenAI at another address', async () => {
    fixture.upstream.script = listing('gpt-5');
    await person.begin({ provider: 'openai' });
    await expect(person.answer({ base_url: url(), api_key: 'sk-1' })).resolves.toMatchObject({
      status: 'done',
      connection: { provider: 'openai', models: ['gpt-5'] },
    });
  });

  it('counts a wrong key, and has failed at the fifth', async () => {
    fixture.upstream.script = explaining(401, 'invalid_api_key', 'Incorrect API key provided: sk-wrong');
    await person.begin({ provider: 'openai-compatible' });
    const wrong = { base_url: url(), api_key: 'sk-wrong' };
    const refusals = [];
    for (let n = 0; n < 5; n++) refusals.push(await person.refusal(wrong));
    expect(refusals[0]).toMatchObject({
      condition: 'CONNECT_REFUSED',
      message: 'the provider does not accept the key; 4 tries are left',
    });
    expect(refusals.at(-1)?.message).toBe('the provider does not accept the key; no tries are left, begin another flow');
    await expect(person.look()).resolves.toMatchObject({ status: 'failed' });
    await expect(connections()).resolves.toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no URL', { base_url: 'models' }, 'base_url'],
    ['a URL with credentials', { base_url: 'https://user:pass@example.test/' }, 'base_url'],
    ['another scheme', { base_url: 'file:///etc/passwd' }, 'base_url'],
    ['a key that no header holds', { api_key: 'sk\u2013key' }, 'api_key'],
  ])('does not count %s, and calls no upstream', async (_name, over, param) => {
    await person.begin({ provider: 'openai-compatible' });
    await expect(person.refusal({ base_url: url(), api_key: 'sk-1', ...over })).resolves.toMatchObject({
      condition: 'CONNECT_STEP_INVALID',
      param,
    });
    await expect(person.look()).resolves.toMatchObject({ step: { triesLeft: 5 } });
    expect(fixture.upstream.received).toEqual([]);
  });

  it.each(['openai', 'openai-compatible', 'http-api'])(
    'takes no private address from a person who may not name one, for %s',
    async (provider) => {
      await person.begin({ provider, privateAddresses: false });
      await expect(person.refusal({ base_url: url(), api_key: 'sk-1' })).resolves.toMatchObject({
        ...{ condition: 'CONNECT_STEP_INVALID', param: 'base_url', message: 'the host is not public; an operator can connect it' },
      });
      expect(fixture.upstream.received).toEqual([]);
      // One that an operator connected there can be reconnected.
      const { connection } = await connect();
      await person.begin({ connectionId: connection?.id ?? '', privateAddresses: false });
      await expect(person.answer({ api_key: 'sk-2' })).resolves.toMatchObject({ status: 'done' });
    },
  );

  it('does not count a server that is away', async () => {
    await person.begin({ provider: 'openai-compatible' });
    await expect(person.refusal({ base_url: 'http://127.0.0.1:1/v1' })).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    fixture.upstream.script = refusing(503);
    await expect(person.refusal({ base_url: url() })).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    fixture.upstream.script = answering('ok');
    await expect(person.answer({ base_url: url() })).resolves.toMatchObject({ status: 'done' });
  });

  it('takes the models that are named where the server lists none, and asks for them where that is missing', async () => {
    fixture.upstream.script = divided({ turns: answering('ok'), list: listing() });
    await person.begin({ provider: 'openai-compatible' });
    await expect(person.refusal({ base_url: url() })).resolves.toMatchObject({ condition: 'CONNECT_STEP_INVALID', param: 'models' });
    fixture.upstream.script = divided({ turns: answering('ok'), list: refusing(404) });
    await expect(person.refusal({ base_url: url() })).resolves.toMatchObject({
      condition: 'CONNECT_REFUSED',
      message: expect.stringMatching(/^there is no list of models at the base URL/),
    });
    await expect(person.answer({ base_url: url(), models: 'one, two,one' })).resolves.toMatchObject({
      connection: { models: ['one', 'two'] },
    });
    await expect(running.as(person.caller).refusal({ model: 'two' })).resolves.toBe('');
    // Its key can be changed although nothing proves it.
    const { id = '' } = (await connections())[0] ?? {};
    await person.begin({ connectionId: id });
    await expect(person.answer({ api_key: 'sk-2' })).resolves.toMatchObject({ status: 'done', connection: { id, models: ['one', 'two'] } });
  });

  it('asks a connection that is reconnected for its key alone, and sends the old one nowhere', async () => {
    const { connection } = await connect();
    const connectionId = connection?.id ?? '';
    await expect(person.begin({ connectionId })).resolves.toMatchObject({ connectionId, step: { fields: [{ name: 'api_key' }] } });
    await expect(person.refusal({ base_url: 'https://elsewhere.test' })).resolves.toMatchObject({ param: 'base_url' });
    fixture.upstream.received.length = 0;
    fixture.upstream.script = refusing(401);
    await expect(person.refusal({ api_key: 'sk-wrong' })).resolves.toMatchObject({ condition: 'CONNECT_REFUSED' });
    fixture.upstream.script = answering('ok');
    await running.as(person.caller).turn('hello');
    expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-1');
    await expect(person.answer({ api_key: 'sk-2' })).resolves.toMatchObject({ status: 'done', connection: { id: connectionId } });
    await running.as(person.caller).turn('hello');
    expect(fixture.upstream.received.at(-1)?.headers.authorization).toBe('Bearer sk-2');
    await expect(connections()).resolves.toHaveLength(1);
  });

  it('does not reconnect a connection that an operator moved meanwhile', async () => {
    const { connection } = await connect();
    const id = connection?.id ?? '';
    await person.begin({ connectionId: id });
    await running.stub.updateConnection({ id, baseUrl: `${fixture.upstream.url}/v2` }, { caller: person.caller });
    await expect(person.refusal({ api_key: 'sk-2' })).resolves.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(person.look()).resolves.toMatchObject({ status: 'failed', reason: 'the connection was changed or removed meanwhile' });
  });

  it('stores no secret for another place, also where a replica moved the connection and this one has not heard of it', async () => {
    const { connection } = await connect();
    const id = connection?.id ?? '';
    await person.begin({ connectionId: id });
    const stored = async () => (await fixture.sql.query<{ secret: Buffer }>('SELECT secret FROM connections WHERE id = $1', [id])).rows[0];
    const before = await stored();
    // Without a notice, as while the broker is away.
    await fixture.sql.query(`UPDATE connections SET base_url = 'http://127.0.0.1:9/v1' WHERE id = $1`, [id]);
    await expect(person.refusal({ api_key: 'sk-2' })).resolves.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'connection_id' });
    await expect(stored()).resolves.toEqual(before);
    await expect(person.look()).resolves.toMatchObject({ status: 'failed' });
  });

  it('takes so many answers and no more, wrong or not', async () => {
    const strict = await fixture.start({}, { connectLimits: { ...DEFAULT_CONNECT_LIMITS, maxAnswers: 2 } });
    person.running = strict;
    await person.begin({ provider: 'openai-compatible' });
    fixture.upstream.script = refusing(503);
    for (let n = 0; n < 2; n++)
      await expect(person.refusal({ base_url: url() })).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    fixture.upstream.received.length = 0;
    await expect(person.refusal({ base_url: url() })).resolves.toMatchObject({ condition: 'CONNECT_REFUSED' });
    await expect(person.look()).resolves.toMatchObject({ status: 'failed', reason: 'there were too many answers' });
    expect(fixture.upstream.received).toEqual([]);
    await strict.stop();
  });

  describe('of a sandbox that is away after it has opened the session', () => {
    let isAway = true;
    const asked = (method: string) => fixture.upstream.received.filter((each) => each.method === method && each.path === '/api/session');
    beforeEach(async () => {
      isAway = true;
      fixture.upstream.script = ({ method, path, res }) => {
        const [status, body] =
          path === '/api/session'
            ? [method === 'POST' ? 200 : 204, { token: 'st_1' }]
            : isAway
              ? [503, {}]
              : [200, { models: [{ id: 's1' }] }];
        res.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : JSON.stringify(body));
      };
      await person.begin({ provider: 'sandbox' });
      const login = { base_url: fixture.upstream.url, account: 'ada', password: 'secret' };
      await expect(person.refusal(login)).resolves.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
      await expect(person.look()).resolves.toMatchObject({ status: 'open', step: { number: 2, fields: [], triesLeft: 5 } });
    });

    it('goes on without a second login', async () => {
      isAway = false;
      await expect(person.answer({})).resolves.toMatchObject({ status: 'done', connection: { models: ['s1'] } });
      expect(asked('POST')).toHaveLength(1);
      expect(asked('DELETE')).toEqual([]);
    });

    it('closes the session when it is cancelled', async () => {
      await person.cancel();
      await waitFor(() => asked('DELETE').length === 1);
      expect(asked('DELETE')).toMatchObject([{ headers: { authorization: 'Bearer st_1' } }]);
    });
  });

  it('connects what is no chat, under a name for people', async () => {
    fixture.upstream.script = ({ res }) => void res.writeHead(404).end();
    await person.begin({ provider: 'http-api' });
    await expect(person.answer({ base_url: fixture.upstream.url, account: 'X-Api-Key', api_key: 'k' })).resolves.toMatchObject({
      connection: { provider: 'http-api', supports: ['api'], models: [] },
    });
    expect(fixture.upstream.received).toMatchObject([{ headers: { 'x-api-key': 'k' } }]);
    const { providers } = await running.stub.listConnectProviders({}, { caller: person.caller });
    expect(providers).toEqual(
      expect.arrayContaining([
        { provider: 'sandbox', title: 'Sandbox', purpose: 'chat' },
        { provider: 'openai', title: 'OpenAI', purpose: 'chat' },
        { provider: 'http-api', title: 'HTTP API', purpose: 'api' },
      ]),
    );
  });
});
