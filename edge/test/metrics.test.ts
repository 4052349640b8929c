import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { waitFor } from '@parley/kit/testing/wait-for';
import { connect, type Socket } from 'node:net';
import { openChat } from './chat-stream.ts';
import { API_KEY, bearer, call, type TestFixture, startFixture } from './harness.ts';
import { createKey } from './operator.ts';
import { PlayedTurn } from './played-turn.ts';
import { head, sendRaw } from './raw-http.ts';
import { readSeries } from './read-series.ts';

const MANY = { points: 10_000, seconds: 60, text: '10000 per 1 minute' };
const ONE = { points: 1, seconds: 60, text: '1 per 1 minute' };
const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };
const AUTH = `Authorization: Bearer ${API_KEY}`;

describe('metrics of the edge', () => {
  let fixture: TestFixture;
  let latest: PlayedTurn | undefined;
  let echo: TestFixture['services']['routing']['turn'];
  beforeAll(async () => {
    enableMetrics('test');
    fixture = await startFixture({
      throttle: { rate_limit: MANY, upload_rate_limit: MANY, tts_rate_limit: ONE },
      workspaceConcurrency: 2,
      stalledClientMs: 1_500,
    });
    echo = fixture.services.routing.turn;
  });
  beforeEach(() => {
    latest = undefined;
    fixture.services.routing.turn = echo;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const text = async () => (await readMetrics()).text;
  /** How much a counter goes up by what `work` does: a request counts when its response has closed. */
  const rise = async (series: string, by: number, work: () => Promise<unknown>) => {
    const before = await readSeries(series);
    await work();
    await waitFor(async () => (await readSeries(series)) >= before + by);
    expect(await readSeries(series)).toBe(before + by);
  };
  const is = (series: string, expected: number) => waitFor(async () => (await readSeries(series)) === expected);
  const chat = (key = API_KEY) => call(`${fixture.edge.url}/v1/chat/completions`, { method: 'POST', key, body: BODY });
  const play = () => {
    fixture.services.routing.turn = (_request, stream) => void (latest = new PlayedTurn(stream));
  };

  it('count requests by operation and status, and measure their time', async () => {
    const operation = 'operation="createChatCompletion"';
    const seconds = `parley_request_duration_seconds_count{${operation}}`;
    await rise(seconds, 1, () => rise(`parley_requests_total{${operation},status="200"}`, 1, chat));
    expect(await readSeries(`parley_request_duration_seconds_sum{${operation}}`)).toBeGreaterThan(0);
  });

  it('name the operation and never the path', async () => {
    const id = uuidv7();
    const get = (path: string) => call(`${fixture.edge.url}${path}`, { key: API_KEY });
    await rise('parley_requests_total{operation="getConversation",status="404"}', 1, () => get(`/v1/conversations/${id}`));
    await rise('parley_requests_total{operation="unknown",status="404"}', 2, async () => {
      await get(`/v1/nothing/${id}`);
      await get('/metrics');
    });
    const absolute = head(`POST ${fixture.edge.url}/v1/chat/completions`, 'Host: x', AUTH, 'Content-Type: text/plain', 'Content-Length: 0');
    const series = 'parley_requests_total{operation="createChatCompletion",status="415"}';
    await rise(series, 1, () => sendRaw(fixture.edge.port, absolute));
    expect(await text()).not.toContain(id);
  });

  it('count errors by code, those of open streams included', async () => {
    play();
    const failed = 'parley_request_errors_total{operation="createChatCompletion",code="PROVIDER_TIMEOUT"}';
    await rise('parley_requests_total{operation="createChatCompletion",status="200"}', 1, () =>
      rise(failed, 1, async () => {
        const stream = await openChat(fixture);
        (await waitFor(() => latest)).fail();
        await stream.ended;
      }),
    );
    const unknown = 'parley_request_errors_total{operation="unknown",code="INVALID_REQUEST"}';
    await rise(unknown, 2, async () => {
      await sendRaw(fixture.edge.port, 'nonsense\r\n\r\n');
      await sendRaw(fixture.edge.port, head('GET /v1/models', 'Host: x', AUTH, 'Expect: magic'));
    });
    const refused = 'parley_request_errors_total{operation="unknown",code="method_not_allowed"}';
    await rise(refused, 1, () => sendRaw(fixture.edge.port, head('CONNECT x:1', 'Host: x:1')));
  });

  it('show requests and streams while they are open, and what their clients have not read', async () => {
    play();
    const stream = await openChat(fixture);
    await is('parley_streams_open', 1);
    await is('parley_requests_in_flight', 1);
    (await waitFor(() => latest)).end();
    await stream.ended;
    await is('parley_streams_open', 0);
    await is('parley_requests_in_flight', 0);
    expect(await readSeries('parley_stream_buffered_bytes')).toBe(0);
  });

  it('count clients that stop reading, and show the bytes that they leave', async () => {
    play();
    const body = JSON.stringify({ ...BODY, stream: true });
    const socket = connect(fixture.edge.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    await rise('parley_stalled_clients_total', 1, async () => {
      const lines = ['Host: x', AUTH, 'Content-Type: application/json', `Content-Length: ${body.length}`];
      socket.write(head('POST /v1/chat/completions', ...lines) + body);
      const turn = await waitFor(() => latest);
      for (let n = 0; n < 20; n++) turn.say('x'.repeat(1_000_000));
      await waitFor(async () => (await readSeries('parley_stream_buffered_bytes')) > 1_000_000);
    });
    socket.destroy();
    await is('parley_stream_buffered_bytes', 0);
  });

  it('show the bytes of large bodies that arrive', async () => {
    const slow: Socket = connect(fixture.edge.port, '127.0.0.1');
    const lines = ['Host: x', AUTH, 'Content-Type: application/json', 'Content-Length: 500000'];
    slow.write(head('POST /v1/chat/completions', ...lines) + ' '.repeat(400_000));
    await is('parley_request_body_bytes', 400_000);
    slow.destroy();
    await is('parley_request_body_bytes', 0);
  });

  it('count what the throttle and the limit of concurrent requests refuse', async () => {
    const speak = () => call(`${fixture.edge.url}/v1/audio/speech`, { method: 'POST', key: API_KEY, body: {} });
    await speak();
    await rise('parley_throttled_total{operation="createSpeech"}', 2, () => Promise.all([speak(), speak()]));
    play();
    const open = [await openChat(fixture), await openChat(fixture)];
    await rise('parley_throttled_total{operation="createChatCompletion"}', 1, chat);
    for (const stream of open) stream.hangUp();
    await is('parley_requests_in_flight', 0);
  });

  it('count what quotas refuse, and show the blocks that are leased', async () => {
    const { key } = await createKey(fixture, { quotas: { requests: '1 per 1 hour', tokens: '1000 per 1 hour' } });
    await chat(key);
    expect(await readSeries('parley_quota_leases')).toBeGreaterThan(0);
    await rise('parley_quota_refusals_total{metric="requests",subject="key"}', 2, async () => {
      await chat(key);
      await chat(key);
    });
  });

  it('are not on the public port', async () => {
    for (const path of ['/metrics', '/v1/metrics', '/admin/v1/metrics']) {
      expect((await fetch(`${fixture.edge.url}${path}`, { headers: bearer(API_KEY) })).status).toBe(404);
    }
  });
});
