import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { EventBatch, type RequestsRefused } from '@parley/protos/events/v1/events';
import { EVENT_STREAM, EVENT_SUBJECTS } from '@parley/protos/subjects';
import { form } from './forms.ts';
import { API_KEY, call, captureLog, type TestFixture, startFixture } from './harness.ts';
import { createKey, operate } from './operator.ts';

const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };

describe('metered requests that are refused before work begins', () => {
  let fixture: TestFixture;
  let bus: Bus;
  const refused: RequestsRefused[] = [];
  const ids: string[] = [];
  beforeAll(async () => {
    const once = { points: 3, seconds: 60, text: '3 per 1 minute' };
    fixture = await startFixture({ throttle: { rate_limit: once, upload_rate_limit: once, tts_rate_limit: once } });
    bus = connectBus({ url: fixture.config.natsUrl, name: 'test', log: captureLog().log });
    const handler = (bytes: Uint8Array) => {
      for (const { id, payload } of EventBatch.decode(bytes).events) {
        ids.push(id);
        if (payload?.$case === 'requestsRefused') refused.push(payload.value);
      }
    };
    bus.consume({
      stream: EVENT_STREAM,
      durable: `test-${process.pid}-${Date.now()}`,
      filterSubject: EVENT_SUBJECTS.requestRefused,
      handler,
    });
  });
  afterAll(async () => {
    await bus.drain();
    await fixture[Symbol.asyncDispose]();
  });

  const chat = (key: string, body: unknown) => call(`${fixture.edge.url}/v1/chat/completions`, { method: 'POST', key, body });
  const sum = (keyId: string, field: 'errors' | 'rateLimited') =>
    refused.filter((event) => event.keyId === keyId).reduce((total, event) => total + event[field], 0);

  it('are counted by key and kind and published once', async () => {
    const mine = await createKey(fixture);
    const narrow = await createKey(fixture, { scopes: ['audio'] });
    expect((await chat(mine.key, {})).status).toBe(422);
    expect((await chat(mine.key, [])).status).toBe(422);
    expect((await chat(mine.key, BODY)).status).toBe(200);
    expect((await chat(mine.key, BODY)).status).toBe(429);
    expect((await chat(narrow.key, BODY)).status).toBe(403);
    await waitFor(() => sum(mine.id, 'errors') === 2 && sum(mine.id, 'rateLimited') === 1 && sum(narrow.id, 'errors') === 1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are not counted for an unknown key, nor for what is not metered', async () => {
    const [bootstrap] = (await operate<{ id: string; name: string }[]>(fixture, 'GET', 'keys')).filter(({ name }) => name === 'bootstrap');
    const before = refused.length;
    await chat('gmk_live_' + 'x'.repeat(43), BODY);
    await call(`${fixture.edge.url}/v1/usage?period=1y`, { key: API_KEY });
    const marker = await createKey(fixture, { scopes: ['audio'] });
    await chat(marker.key, BODY);
    await waitFor(() => sum(marker.id, 'errors') === 1);
    const later = refused.slice(before).map(({ keyId }) => keyId);
    expect(later).not.toContain(bootstrap?.id);
    expect(later).not.toContain('');
  });

  it('are jobs and transcriptions as well, but for those that the audio service has heard', async () => {
    await using open = await startFixture();
    const { audio } = open.services;
    const { id, key } = await createKey(open, { scopes: ['audio'] });
    const post = (path: string, body: unknown) => call(`${open.edge.url}/v1/audio/${path}`, { method: 'POST', key, body });
    expect((await post('generations', {})).status).toBe(422);
    audio.failure = new GatewayError('AUDIO_QUOTA_EXCEEDED', 'no more');
    expect((await post('generations', { input: 'hello', voice: 'slt' })).status).toBe(429);
    audio.failure = new GatewayError('TRANSCRIPTION_FAILED', 'no');
    expect((await post('transcriptions', form('RIFF'))).status).toBe(503);
    audio.failure = new GatewayError('PROVIDER_RATE_LIMITED', 'its server limits us');
    expect((await post('transcriptions', form('RIFF'))).status).toBe(429);
    expect((await post('speech', {})).status).toBe(422);
    expect((await post('transcriptions', form('RIFF', 'a.wav', 'other'))).status).toBe(422);
    await waitFor(() => sum(id, 'errors') === 3 && sum(id, 'rateLimited') === 1);
  });

  it('are those for which the workspace has no room, as requests that were limited', async () => {
    await using open = await startFixture({ workspaceConcurrency: 1 });
    const { id, key } = await createKey(open, { scopes: ['chat', 'audio'] });
    let turns = 0;
    open.services.routing.turn = () => void turns++;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(BODY), signal: leaving.signal };
    fetch(`${open.edge.url}/v1/chat/completions`, init).catch(() => undefined);
    await waitFor(() => turns === 1);
    const post = (path: string, body: unknown) => call(`${open.edge.url}/v1/${path}`, { method: 'POST', key, body });
    expect((await post('chat/completions', BODY)).status).toBe(429);
    expect((await post('audio/transcriptions', form('RIFF'))).status).toBe(429);
    await waitFor(() => sum(id, 'rateLimited') === 2);
    leaving.abort();
  });
});
