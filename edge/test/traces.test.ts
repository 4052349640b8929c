import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type RecordedSpan, SpanKind } from '@parley/kit/telemetry/span';
import { setTracer, Tracer } from '@parley/kit/telemetry/tracer';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { openChat } from './chat-stream.ts';
import { API_KEY, call, captureLog, type CapturedLog, type TestFixture, startFixture } from './harness.ts';
import { createKey, type CreatedKey, operatorToken } from './operator.ts';
import { PlayedTurn } from './played-turn.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const BODY = { model: 'auto', messages: [{ role: 'user', content: 'hi' }] };

interface Ask {
  traceparent?: string;
  as?: string;
  method?: string;
  body?: unknown;
}

describe('traces of the edge', () => {
  let fixture: TestFixture;
  let captured: CapturedLog;
  let key: CreatedKey;
  const kept: RecordedSpan[] = [];
  /** The `traceparent` of every turn that chat-routing got. */
  let turns: string[] = [];
  beforeAll(async () => {
    captured = captureLog('debug');
    fixture = await startFixture({}, { log: captured.log });
    key = await createKey(fixture);
    const { routing } = fixture.services;
    const echo = routing.turn;
    routing.turn = (request, stream, called) => {
      turns.push(called.traceparent);
      echo(request, stream, called);
    };
  });
  beforeEach(() => {
    kept.length = 0;
    turns = [];
    fixture.services.routing.calls = [];
    fixture.services.conversations.calls = [];
    setTracer(new Tracer({ ratio: 1, slowMs: 1e9 }, (span) => kept.push(span)));
  });
  afterEach(() => setTracer(undefined));
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const ask = (path: string, { traceparent = TRACEPARENT, as = API_KEY, method = 'GET', body }: Ask = {}) =>
    call(`${fixture.edge.url}${path}`, { method, key: as, body, headers: traceparent === '' ? {} : { traceparent } });
  const chat = (traceparent = TRACEPARENT) => ask('/v1/chat/completions', { method: 'POST', body: BODY, traceparent });
  const onlySpan = () => waitFor(() => kept[0]);

  it('have a span for each request, in the trace of the client, that is the parent of its turn', async () => {
    const { headers } = await chat();
    const span = await onlySpan();
    expect(span).toMatchObject({
      ...{ name: 'POST /v1/chat/completions', kind: SpanKind.SERVER, traceId: TRACE, parentSpanId: PARENT, error: undefined },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'url.path': '/v1/chat/completions',
        'http.response.status_code': 200,
        'parley.operation': 'createChatCompletion',
        'parley.request.id': headers.get('x-request-id'),
      },
    });
    expect(turns).toEqual([`00-${TRACE}-${span.spanId}-01`]);
  });

  it('go on to every service, for any caller', async () => {
    const id = uuidv7();
    const workspaceId = uuidv7();
    const token = await operatorToken(fixture);
    await ask(`/v1/conversations/${id}`);
    await ask('/v1/models');
    await ask(`/admin/v1/connections?workspace_id=${workspaceId}`, { as: token });
    await ask(`/admin/v1/conversations/${id}/export?key_id=${key.id}`, { as: token });
    await waitFor(() => kept.length === 4);
    expect(kept.map(({ name }) => name)).toEqual([
      'GET /v1/conversations/{conversation_id}',
      'GET /v1/models',
      'GET /admin/v1/connections',
      'GET /admin/v1/conversations/{id}/export',
    ]);
    const { routing, conversations } = fixture.services;
    const sent = [...conversations.calls, ...routing.calls].map(({ call: { traceparent } }) => traceparent);
    expect(new Set(sent)).toEqual(new Set(kept.map(({ spanId }) => `00-${TRACE}-${spanId}-01`)));
  });

  it.each(['', 'nonsense', `${TRACEPARENT}, ${TRACEPARENT}`, `00-${'0'.repeat(32)}-${PARENT}-01`])(
    'begin with the request where the client sends no valid traceparent: %j',
    async (traceparent) => {
      await chat(traceparent);
      const { traceId, spanId, parentSpanId } = await onlySpan();
      expect([parentSpanId, turns]).toEqual([undefined, [`00-${traceId}-${spanId}-01`]]);
      expect(traceId).not.toBe(TRACE);
    },
  );

  it('pass a traceparent of a later version on as one of ours', async () => {
    setTracer(undefined);
    await chat(`01-${TRACE}-${PARENT}-01-more`);
    expect(turns).toEqual([TRACEPARENT]);
  });

  it('pass the traceparent of the client on while they are off, and nothing else', async () => {
    setTracer(undefined);
    await chat();
    await chat('nonsense');
    await ask('/v1/models');
    expect(turns).toEqual([TRACEPARENT, '']);
    expect(fixture.services.routing.calls.map(({ call: { traceparent } }) => traceparent)).toEqual([TRACEPARENT]);
  });

  it('have the codes of failures, and those of refusals as an attribute only', async () => {
    fixture.services.routing.failure = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    await ask('/v1/models');
    fixture.services.routing.failure = undefined;
    await ask('/v1/conversations/x');
    await waitFor(() => kept.length === 2);
    const [failed, refused] = kept;
    expect(failed).toMatchObject({ error: 'SERVICE_UNAVAILABLE', attributes: { 'http.response.status_code': 503 } });
    expect(refused).toMatchObject({
      error: undefined,
      attributes: { 'http.response.status_code': 422, 'parley.error.code': 'VALIDATION_ERROR' },
    });
  });

  it('are kept for a failure when the client does not sample them', async () => {
    const traceparent = `00-${TRACE}-${PARENT}-00`;
    fixture.services.routing.failure = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    await ask('/v1/models', { traceparent });
    fixture.services.routing.failure = undefined;
    const { spanId, attributes } = await onlySpan();
    expect(attributes).toMatchObject({ 'http.response.status_code': 503, 'parley.operation': 'listModels' });
    expect(fixture.services.routing.calls.map(({ call: { traceparent: sent } }) => sent)).toEqual([`00-${TRACE}-${spanId}-00`]);
    await chat(traceparent);
    expect(turns).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))]);
    expect(kept).toHaveLength(1);
  });

  it('have the failures of open streams', async () => {
    const { routing } = fixture.services;
    const before = routing.turn;
    let turn: PlayedTurn | undefined;
    routing.turn = (_request, stream) => void (turn = new PlayedTurn(stream));
    const stream = await openChat(fixture);
    (await waitFor(() => turn)).fail();
    await stream.ended;
    expect(await onlySpan()).toMatchObject({ error: 'PROVIDER_TIMEOUT', attributes: { 'http.response.status_code': 200 } });
    routing.turn = before;
  });

  it('name a request without a route by its method', async () => {
    await ask('/v1/nothing?q=secret');
    const { name, attributes } = await onlySpan();
    expect([name, attributes['http.route'], attributes['url.path']]).toEqual(['GET', undefined, '/v1/nothing']);
    expect(JSON.stringify(kept)).not.toContain('secret');
  });

  it('have nothing of probes, whose log lines are at debug', async () => {
    const since = captured.lines.length;
    const ids = await Promise.all(['/livez', '/readyz'].map(async (path) => (await ask(path)).headers.get('x-request-id')));
    await chat();
    await onlySpan();
    expect(kept.map(({ name }) => name)).toEqual(['POST /v1/chat/completions']);
    const linesOf = (id: string | null) => captured.lines.slice(since).filter(({ requestId }) => requestId === id);
    for (const id of ids) expect(linesOf(id)).toMatchObject([{ level: 'debug', status: 200 }]);
  });

  it('are named in the access line', async () => {
    const { headers } = await chat();
    const lines = await waitFor(() => {
      const own = captured.lines.filter(({ requestId }) => requestId === headers.get('x-request-id'));
      return own.length > 0 && own;
    });
    expect(lines).toMatchObject([{ level: 'info', operation: 'createChatCompletion', status: 200, trace_id: TRACE, msg: 'request' }]);
  });
});
