import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';

describe('connections for APIs', () => {
  let fixture: TestFixture;
  let running: Running;
  let caller: Caller;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    caller = newCaller();
    fixture.upstream.script = ({ res }) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>tickets</h1>');
    fixture.upstream.received.length = 0;
  });
  const init = () => ({ caller, deadlineMs: 20_000 });
  const connect = (over: Partial<CreateConnectionRequest> = {}) =>
    connectAccount(fixture, running, caller, {
      provider: 'http-api',
      label: 'tickets',
      baseUrl: fixture.upstream.url,
      models: [],
      ...over,
    });
  const acquire = (connectionId = '', purpose = 'api') => running.stub.acquireConnection({ purpose, connectionId }, init());

  it('are proven with a GET of their base URL, and handed out with their secret', async () => {
    const made = await connect({ baseUrl: `${fixture.upstream.url}/v2` });
    expect(made).toMatchObject({ provider: 'http-api', status: 'active', supports: ['api'], models: [] });
    expect(made.providerFamily).toBeUndefined();
    expect(fixture.upstream.received).toMatchObject([{ method: 'GET', path: '/v2', headers: { authorization: 'Bearer sk-1' } }]);
    const { id } = made;
    const given = {
      id,
      provider: 'http-api',
      label: 'tickets',
      baseUrl: `${fixture.upstream.url}/v2`,
      secret: 'sk-1',
      models: [],
      probing: false,
      account: '',
    };
    await expect(acquire()).resolves.toEqual(given);
    await expect(acquire(id)).resolves.toEqual(given);
    await expect(acquire(id, 'speech')).rejects.toMatchObject({ condition: 'ACCOUNT_NOT_CONNECTED' });
  });

  it('send their secret in the header that the account names', async () => {
    const { id } = await connect({ account: 'X-Api-Key' });
    const [asked] = fixture.upstream.received;
    expect(asked).toMatchObject({ path: '/', headers: { 'x-api-key': 'sk-1' } });
    expect(asked?.headers.authorization).toBeUndefined();
    await expect(acquire(id)).resolves.toMatchObject({ account: 'X-Api-Key' });
  });

  it.each(['x api', 'a:b', 'Host', 'content-length', 'transfer-encoding', 'x\r\ny', 'ä'])(
    'refuse %j as the name of a header',
    async (account) => {
      await expect(connect({ account })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'account' });
      expect(fixture.upstream.received).toEqual([]);
    },
  );

  it('refuse a secret that no header can hold, and models', async () => {
    await expect(connect({ secret: 'a\nb' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'api_key' });
    await expect(connect({ models: ['m'] })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'models' });
    await expect(connect({ maxConcurrency: 2 })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'max_concurrency' });
  });

  it.each([401, 403])('are not made when the API answers %i', async (status) => {
    fixture.upstream.script = refusing(status);
    await expect(connect()).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
    await expect(acquire()).rejects.toMatchObject({ condition: 'ACCOUNT_NOT_CONNECTED' });
  });

  it.each([204, 301, 404, 405, 500])('are made when the API answers %i: something is there, and takes the secret', async (status) => {
    fixture.upstream.script = refusing(status, { location: 'http://127.0.0.1:1/' });
    await expect(connect()).resolves.toMatchObject({ status: 'active' });
    expect(fixture.upstream.received).toHaveLength(1);
  });

  it('are not made when nothing is there', async () => {
    await expect(connect({ baseUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
  });

  it('are tested, reconnected and expire', async () => {
    const { id } = await connect();
    await expect(running.stub.testConnection({ id }, init())).resolves.toMatchObject({
      ok: true,
      models: [],
      connection: { health: 'healthy' },
    });
    fixture.upstream.script = refusing(401);
    await expect(running.stub.testConnection({ id }, init())).resolves.toMatchObject({ ok: false, connection: { status: 'expired' } });
    await expect(acquire(id)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED_SELECTED' });
    fixture.upstream.script = refusing(404);
    await expect(running.stub.updateConnection({ id, secret: 'sk-2' }, init())).resolves.toMatchObject({ status: 'active', models: [] });
    await expect(acquire(id)).resolves.toMatchObject({ secret: 'sk-2' });
    const refused = { connectionId: id, ok: false, condition: 'ACCOUNT_REAUTH_REQUIRED', retryAfterMs: 0, probing: false };
    for (let n = 0; n < 2; n++) await running.stub.reportConnection(refused, init());
    await expect(acquire(id)).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED_SELECTED' });
  });

  it('never get a chat', async () => {
    await connect({ isDefault: true });
    await expect(running.as(caller).refusal()).resolves.toBe('ACCOUNT_NOT_CONNECTED');
    fixture.upstream.script = answering('ok');
    await connectAccount(fixture, running, caller, { models: ['chat-1'] });
    await expect(running.as(caller).refusal()).resolves.toBe('');
  });
});
