import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RecordedSpan, SpanKind } from '@parley/kit/telemetry/span';
import { setTracer, Tracer } from '@parley/kit/telemetry/tracer';
import { waitFor } from '@parley/kit/testing/wait-for';
import { TestUpstream } from '../src/providers/testing/upstream.ts';
import { type Client } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, refusing } from './openai-script.ts';
import { lastTurn } from './turn-fixture.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

describe('the trace of a turn', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  let other: TestUpstream;
  const spans: RecordedSpan[] = [];
  /** What the record was asked, with the trace that it was asked in. */
  const commits: [question: string, traceparent: string][] = [];
  beforeAll(async () => {
    fixture = await openFixture();
    running = await fixture.start();
    other = await new TestUpstream().listen();
    fixture.conversation.before = ({ $case }, { traceparent }) => void commits.push([$case, traceparent]);
  });
  afterAll(async () => {
    await other.close();
    await fixture.close();
  });
  beforeEach(async () => {
    client = running.as(newCaller());
    client.traceparent = TRACEPARENT;
    fixture.upstream.script = answering('Hi there');
    await connectAccount(fixture, running, client.caller);
    fixture.upstream.received.length = 0;
    for (const list of [spans, commits]) list.length = 0;
    setTracer(new Tracer({ ratio: 0, slowMs: 1e9 }, (span) => spans.push(span)));
  });
  afterEach(() => setTracer(undefined));

  const toTraceparent = (span: RecordedSpan | undefined) => `00-${span?.traceId}-${span?.spanId}-01`;
  const asked = (upstream = fixture.upstream) => upstream.received.map(({ headers }) => headers.traceparent);

  it('has the choice, the attempt with its first token, and the commits below the turn', async () => {
    const { accepted } = await client.turn('Hello');
    expect(spans.map(({ name }) => name)).toEqual(['choose_connection', 'chat m1', 'chat auto']);
    const [choice, attempt, turn] = spans;
    expect(turn).toMatchObject({
      ...{ traceId: TRACE, parentSpanId: PARENT, kind: SpanKind.INTERNAL, error: undefined },
      attributes: {
        'gen_ai.conversation.id': accepted?.conversationId,
        'parley.turn.id': lastTurn(fixture)?.begin.turnId,
        'parley.request.id': 'r',
        'parley.route.reason': 'only',
        'parley.turn.status': 'completed',
      },
    });
    expect(choice).toMatchObject({ parentSpanId: turn?.spanId, kind: SpanKind.INTERNAL, attributes: { 'parley.route.reason': 'only' } });
    const { hostname, port } = new URL(fixture.upstream.url);
    expect(attempt).toMatchObject({
      ...{ parentSpanId: turn?.spanId, kind: SpanKind.CLIENT, error: undefined, events: [{ name: 'first_token' }] },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai-compatible',
        'gen_ai.request.model': 'm1',
        'gen_ai.usage.input_tokens': 5,
        'gen_ai.usage.output_tokens': 2,
        'server.address': hostname,
        'server.port': Number(port),
        'parley.connection.id': lastTurn(fixture)?.end?.connectionId,
        'parley.attempt.outcome': 'ok',
      },
    });
    expect(JSON.stringify(spans)).not.toMatch(/Hello|Hi there/);
    expect(asked()).toEqual([toTraceparent(attempt)]);
    expect(commits).toEqual([
      ['begin', toTraceparent(turn)],
      ['end', toTraceparent(turn)],
    ]);
  });

  it('has each attempt of a turn that goes elsewhere, and the upstreams their own', async () => {
    other.script = answering('Fine');
    await connectAccount(fixture, running, client.caller, { label: 'other', baseUrl: `${other.url}/v1` });
    other.received.length = 0;
    const profile = { slug: 'ordered', accountLabels: ['main', 'other'], model: '', strategy: 'priority', weights: [] };
    await running.stub.putRouteProfile(profile, { caller: client.caller });
    fixture.upstream.script = refusing(503);
    await client.turn('Hello', { routeProfile: 'ordered' });
    const [, failed, answered, turn] = spans;
    expect(failed).toMatchObject({
      ...{ error: 'PROVIDER_UNAVAILABLE', events: [], parentSpanId: turn?.spanId },
      attributes: { 'http.response.status_code': 503, 'parley.attempt.outcome': 'PROVIDER_UNAVAILABLE' },
    });
    expect(answered).toMatchObject({ error: undefined, parentSpanId: turn?.spanId });
    expect([...asked(), ...asked(other)]).toEqual([toTraceparent(failed), toTraceparent(answered)]);
    expect(commits.map(([question]) => question)).toEqual(['begin', 'move', 'end']);
    expect(new Set(commits.map(([, traceparent]) => traceparent))).toEqual(new Set([toTraceparent(turn)]));
    expect(turn).toMatchObject({ name: 'chat auto', error: undefined });
  });

  it('ends with the error of the turn', async () => {
    fixture.upstream.script = refusing(500);
    await client.turn('Hello');
    expect(spans.at(-1)).toMatchObject({ name: 'chat auto', error: 'PROVIDER_BAD_ANSWER', attributes: { 'parley.turn.status': 'failed' } });
  });

  it('is kept for its failure when it is not sampled, and the upstream and the record had its ids', async () => {
    client.traceparent = `${TRACEPARENT.slice(0, -2)}00`;
    await client.turn('Hello');
    expect(spans).toEqual([]);
    for (const list of [fixture.upstream.received, commits]) list.length = 0;
    fixture.upstream.script = refusing(500);
    await client.turn('Hello');
    const [choice, attempt, turn] = spans;
    expect(spans.map(({ name }) => name)).toEqual(['choose_connection', 'chat m1', 'chat auto']);
    expect(choice).toMatchObject({ parentSpanId: turn?.spanId, attributes: { 'parley.route.reason': 'only' } });
    expect(attempt).toMatchObject({
      parentSpanId: turn?.spanId,
      attributes: { 'parley.attempt.outcome': 'PROVIDER_BAD_ANSWER', 'http.response.status_code': 500 },
    });
    expect(turn).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, attributes: { 'parley.turn.status': 'failed' } });
    expect(asked()).toEqual([`00-${TRACE}-${attempt?.spanId}-00`]);
    expect(new Set(commits.map(([, traceparent]) => traceparent))).toEqual(new Set([`00-${TRACE}-${turn?.spanId}-00`]));
  });

  it('ends with the refusal of a turn that never began', async () => {
    await client.turn('Hello', { upstreamAccount: 'nowhere' });
    const attributes = { 'error.type': 'CONNECTION_NOT_FOUND' };
    // The client can mend it: the trace is not kept for it.
    expect(spans).toMatchObject([
      { name: 'choose_connection', attributes, error: undefined },
      { name: 'chat auto', attributes, error: undefined },
    ]);
    spans.length = 0;
    await running.as(newCaller()).turn('Hello');
    expect(spans).toEqual([]);
  });

  it('ends with a turn that an earlier one answers', async () => {
    const key = { idempotencyKey: 'k', requestDigest: Buffer.alloc(32) };
    await client.turn('Hello', key);
    spans.length = 0;
    await client.turn('Hello', key);
    expect(spans.map(({ name }) => name)).toEqual(['choose_connection', 'chat auto']);
    await waitFor(() => asked().length === 1);
  });

  describe('without a tracer', () => {
    beforeEach(() => setTracer(undefined));

    it.each([
      ['passes on that of the client', TRACEPARENT],
      ['sends none where the client has none', ''],
    ])('%s', async (_name, traceparent) => {
      client.traceparent = traceparent;
      await client.turn('Hello');
      expect(asked()).toEqual([traceparent || undefined]);
      expect(commits).toEqual([
        ['begin', traceparent],
        ['end', traceparent],
      ]);
      expect(spans).toEqual([]);
    });
  });
});
