import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type GatewayError } from '@parley/protos/errors';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { DEFAULT_BREAKER_POLICY } from '../src/domain/breaker.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };
/** A breaker with a cooldown that a test can wait for, and that nothing but turns probes. */
const QUICK = { ...DEFAULT_BREAKER_POLICY, cooldownMs: 300, maxCooldownMs: 300, probeCheckIntervalMs: 3_600_000 };
const FAILED = { ok: false, condition: 'PROVIDER_UNAVAILABLE', retryAfterMs: 0, probing: false };

describe('connections for audio', () => {
  let fixture: TestFixture;
  let running: Running;
  let caller: Caller;
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start({}, { policy: QUICK });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    caller = newCaller();
    fixture.upstream.script = answering('ok');
    fixture.upstream.received.length = 0;
  });
  const init = () => ({ caller, deadlineMs: 20_000 });
  const connect = (over: Partial<CreateConnectionRequest> = {}) =>
    connectAccount(fixture, running, caller, { provider: 'openai-speech', label: 'voice', models: ['tts-1'], ...over });
  const acquire = (connectionId = '', purpose = 'speech') => running.stub.acquireConnection({ purpose, connectionId }, init());
  const refusal = (connectionId?: string, purpose?: string) =>
    acquire(connectionId, purpose).then(
      () => '',
      (error: { condition: string }) => error.condition,
    );
  const report = (connectionId: string, over: Partial<typeof FAILED> = {}) =>
    running.stub.reportConnection({ connectionId, ...FAILED, ...over }, init());
  const shown = async (id: string) => (await running.stub.listConnections(PAGE, init())).connections.find((each) => each.id === id);

  it('are listed with what they are for, and handed out with their secret', async () => {
    const { id } = await connect();
    const hearing = await connect({ provider: 'openai-transcription', label: 'ears', models: [] });
    expect(await shown(id)).toMatchObject({ provider: 'openai-speech', providerFamily: 'openai', status: 'active', supports: ['speech'] });
    expect(await shown(hearing.id)).toMatchObject({ supports: ['transcription'], models: ['m1', 'm2'] });
    const baseUrl = `${fixture.upstream.url}/v1`;
    await expect(acquire()).resolves.toEqual({
      ...{ id, provider: 'openai-speech', label: 'voice', baseUrl, secret: 'sk-1', models: ['tts-1'], probing: false, account: '' },
    });
    await expect(acquire('', 'transcription')).resolves.toMatchObject({ id: hearing.id, provider: 'openai-transcription' });
    const { rows } = await fixture.sql.query('SELECT secret FROM connections WHERE id = $1', [id]);
    expect(Buffer.from((rows[0] as { secret: Buffer }).secret).toString('latin1')).not.toContain('sk-1');
  });

  it('never get a chat, and offer it no model', async () => {
    const audio = await connect({ isDefault: true });
    await connect({ provider: 'openai-transcription', label: 'ears' });
    const chats = running.as(caller);
    await expect(chats.refusal()).resolves.toBe('ACCOUNT_NOT_CONNECTED');
    await connectAccount(fixture, running, caller, { models: ['chat-1'] });
    await expect(running.stub.listModels({}, init())).resolves.toMatchObject({ models: [{ id: 'chat-1' }] });
    await expect(chats.refusal({ model: 'tts-1' })).resolves.toBe('INVALID_REQUEST');
    await expect(chats.refusal({ upstreamAccount: 'voice' })).resolves.toBe('CONNECTION_NOT_FOUND');
    for (let n = 0; n < 5; n++) await expect(chats.refusal()).resolves.toBe('');
    expect(fixture.upstream.received.map(({ body }) => body.model)).toEqual(Array.from({ length: 5 }, () => 'chat-1'));
    const conversation = { title: '', upstreamAccountId: audio.id, upstreamProjectId: '', model: '', imported: [] };
    await expect(running.stub.createConversation(conversation, init())).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
    const profile = { slug: 'p', accountLabels: ['voice'], model: '', strategy: '', weights: [] };
    await expect(running.stub.putRouteProfile(profile, init())).rejects.toMatchObject({ param: 'account_labels' });
  });

  it('have a default of their own, which is handed out first', async () => {
    const chat = await connectAccount(fixture, running, caller, { isDefault: true });
    await connect({ label: 'first' });
    const second = await connect({ label: 'second', isDefault: true });
    for (let n = 0; n < 3; n++) await expect(acquire()).resolves.toMatchObject({ label: 'second' });
    expect(await shown(chat.id)).toMatchObject({ isDefault: true });
    await running.stub.updateConnection({ id: second.id, enabled: false }, init());
    await expect(acquire()).resolves.toMatchObject({ label: 'first' });
  });

  it('are handed out of one provider where the caller wants that', async () => {
    await connect({ label: 'first', isDefault: true });
    fixture.upstream.script = ({ res }) => void res.end('[{"model_id":"eleven_v3","can_do_text_to_speech":true}]');
    const { id } = await connect({ provider: 'elevenlabs', label: 'eleven', models: [], baseUrl: fixture.upstream.url });
    const of = (provider: string) => running.stub.acquireConnection({ purpose: 'speech', connectionId: '', provider }, init());
    await expect(of('elevenlabs')).resolves.toMatchObject({ id, provider: 'elevenlabs', models: ['eleven_v3'] });
    await expect(of('openai-speech')).resolves.toMatchObject({ label: 'first' });
    await expect(acquire()).resolves.toMatchObject({ label: 'first' });
    await expect(of('openai-transcription')).rejects.toMatchObject({ condition: 'ACCOUNT_NOT_CONNECTED' });
    await running.stub.updateConnection({ id, isDefault: true }, init());
    await expect(acquire()).resolves.toMatchObject({ id });
  });

  it('are handed out by how many calls they have', async () => {
    for (const label of ['a', 'b', 'c']) await connect({ label });
    const lent = [await acquire(), await acquire(), await acquire()];
    expect(lent.map(({ label }) => label).sort()).toEqual(['a', 'b', 'c']);
    await report(lent[1]?.id ?? '', { ok: true });
    await expect(acquire()).resolves.toMatchObject({ id: lent[1]?.id });
  });

  it('report why they cannot be acquired', async () => {
    await connectAccount(fixture, running, caller);
    await expect(refusal()).resolves.toBe('ACCOUNT_NOT_CONNECTED');
    await expect(refusal('', 'chat')).resolves.toBe('VALIDATION_ERROR');
    const { id } = await connect();
    await expect(refusal(id, 'transcription')).resolves.toBe('ACCOUNT_NOT_CONNECTED');
    await running.stub.updateConnection({ id, enabled: false }, init());
    expect([await refusal(id), await refusal()]).toEqual(['ACCOUNT_NOT_ACTIVE', 'NO_HEALTHY_SESSION']);
    await running.stub.updateConnection({ id, enabled: true }, init());
    await expect(acquire(id)).resolves.toMatchObject({ id });
    caller = newCaller();
    await expect(refusal(id)).resolves.toBe('ACCOUNT_NOT_CONNECTED');
    await report(id, { condition: 'ACCOUNT_REAUTH_REQUIRED' });
  });

  it('pause for five minutes when they are limited', async () => {
    const { id } = await connect();
    await acquire();
    await report(id, { condition: 'PROVIDER_RATE_LIMITED', retryAfterMs: 3_000 });
    expect(await shown(id)).toMatchObject({ status: 'rate_limited', health: 'rate_limited' });
    for (const [connectionId, condition] of [
      [id, 'PROVIDER_RATE_LIMITED'],
      ['', 'NO_HEALTHY_SESSION'],
    ]) {
      const error = await acquire(connectionId).catch((thrown: unknown) => thrown as GatewayError);
      expect(error).toMatchObject({ condition });
      const { retryAfterMs = 0 } = error as GatewayError;
      expect(retryAfterMs > 270_000 && retryAfterMs <= 300_000).toBe(true);
    }
  });

  it('expire when their key is refused, until there is another one', async () => {
    const { id } = await connect();
    await acquire();
    await report(id, { condition: 'ACCOUNT_REAUTH_REQUIRED' });
    expect(await shown(id)).toMatchObject({ status: 'active' });
    await report(id, { condition: 'ACCOUNT_REAUTH_REQUIRED' });
    expect(await shown(id)).toMatchObject({ status: 'expired', health: 'unhealthy' });
    expect([await refusal(id), await refusal()]).toEqual(['ACCOUNT_REAUTH_REQUIRED_SELECTED', 'NO_HEALTHY_SESSION']);
    await running.stub.updateConnection({ id, secret: 'sk-2' }, init());
    await expect(acquire(id)).resolves.toMatchObject({ secret: 'sk-2' });
  });

  it('are not expired by a refusal of a key that was replaced meanwhile', async () => {
    const { id } = await connect();
    await acquire();
    await running.stub.updateConnection({ id, secret: 'sk-2' }, init());
    await report(id, { condition: 'ACCOUNT_REAUTH_REQUIRED' });
    for (let n = 0; n < 2; n++) {
      await expect(acquire(id)).resolves.toMatchObject({ secret: 'sk-2' });
      await report(id, { condition: 'ACCOUNT_REAUTH_REQUIRED' });
    }
    await expect(refusal(id)).resolves.toBe('ACCOUNT_REAUTH_REQUIRED_SELECTED');
  });

  it('expire with the first refusal of their key that a probe confirms', async () => {
    const { id } = await connect();
    fixture.upstream.script = refusing(401);
    await acquire();
    await report(id, { condition: 'ACCOUNT_REAUTH_REQUIRED' });
    await waitFor(async () => (await shown(id))?.status === 'expired');
    expect(fixture.upstream.received).toMatchObject([{ path: '/v1/models' }]);
  });

  it('are probed by a call only when no other one is well', async () => {
    const { id } = await connect({ label: 'weak', isDefault: true });
    const well = await connect({ label: 'well' });
    for (let n = 0; n < QUICK.consecutiveFailures; n++) await acquire(id).then(() => report(id));
    await waitFor(async () => (await shown(id))?.cooldownSeconds === 0);
    await expect(acquire()).resolves.toMatchObject({ id: well.id, probing: false });
    await running.stub.updateConnection({ id: well.id, enabled: false }, init());
    await expect(acquire()).resolves.toMatchObject({ id, probing: true });
  });

  it('cool down after failures, and let one call probe', async () => {
    const { id } = await connect();
    for (let n = 0; n < QUICK.consecutiveFailures; n++) await acquire().then(() => report(id));
    expect(await shown(id)).toMatchObject({ status: 'cooldown' });
    expect([await refusal(id), await refusal()]).toEqual(['NO_HEALTHY_SESSION', 'NO_HEALTHY_SESSION']);
    const probe = await waitFor(() => acquire(id).catch(() => undefined));
    expect(probe).toMatchObject({ probing: true });
    expect([await refusal(id), await refusal()]).toEqual(['NO_HEALTHY_SESSION', 'NO_HEALTHY_SESSION']);
    await report(id, { condition: 'INVALID_REQUEST', probing: true });
    const again = await waitFor(() => acquire().catch(() => undefined));
    expect(again).toMatchObject({ id, probing: true });
    await report(id, { ok: true, probing: true });
    await expect(acquire()).resolves.toMatchObject({ id, probing: false });
    expect(fixture.conversation.cleared).not.toContain(id);
  });

  it('keep their health after failures without a cause, or of an unknown connection', async () => {
    const { id } = await connect();
    for (const condition of ['INVALID_REQUEST', 'FILE_TOO_LARGE', 'NO_SUCH_CONDITION', ''])
      for (let n = 0; n < QUICK.consecutiveFailures; n++) await report(id, { condition });
    expect(await shown(id)).toMatchObject({ status: 'active' });
    await running.stub.deleteConnection({ id }, init());
    await expect(report(id)).resolves.toEqual({});
    const chat = await connectAccount(fixture, running, caller);
    for (let n = 0; n < QUICK.consecutiveFailures; n++) await report(chat.id);
    expect(await shown(chat.id)).toMatchObject({ status: 'active' });
  });

  it('are tested and reconnected on servers that list no models, and take no bound on turns', async () => {
    fixture.upstream.script = ({ path, res }) => void res.writeHead(path.endsWith('/audio/speech') ? 422 : 404).end('{}');
    const { id } = await connect({ models: ['mine'] });
    await expect(running.stub.testConnection({ id }, init())).resolves.toMatchObject({ ok: true, connection: { health: 'healthy' } });
    const changed = await running.stub.updateConnection({ id, secret: 'sk-2' }, init());
    expect(changed).toMatchObject({ models: ['mine'] });
    await expect(connect({ label: 'unnamed', models: [] })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'models' });
    const bounded = { condition: 'VALIDATION_ERROR', param: 'max_concurrency' };
    await expect(connect({ label: 'bounded', maxConcurrency: 2 })).rejects.toMatchObject(bounded);
    await expect(running.stub.updateConnection({ id, maxConcurrency: 2 }, init())).rejects.toMatchObject(bounded);
    fixture.upstream.script = refusing(401);
    await expect(running.stub.testConnection({ id }, init())).resolves.toMatchObject({ ok: false, connection: { status: 'expired' } });
  });
});
