import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { readMetric, recordSpans, SAMPLED } from '@parley/kit/testing/telemetry';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM, EVENT_STREAM_DECLARATION, EVENT_SUBJECTS } from '@parley/protos/subjects';
import { PNG } from './files.ts';
import { artifact, newCaller, openFixture, reaches, type Running, type TestFixture } from './fixture.ts';
import { consistsOf, failsWith } from './upstream.ts';

let fixture: TestFixture;
let service: Running;
let tracing: ReturnType<typeof recordSpans>;
const lines: Record<string, unknown>[] = [];
const events: Event[] = [];

beforeAll(async () => {
  enableMetrics('test');
  tracing = recordSpans();
  fixture = await openFixture();
  fixture.bus.declareStream(EVENT_STREAM_DECLARATION);
  fixture.bus.consume({
    ...{ stream: EVENT_STREAM, durable: 'test-traces', filterSubject: EVENT_FILTERS.assets },
    handler: (bytes) => void events.push(...EventBatch.decode(bytes).events),
  });
  const destination = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  service = await fixture.start({}, { log: createLogger({ service: 'asset', destination }) });
});
afterAll(async () => {
  tracing.stop();
  await fixture.close();
});

const spanOf = (id: string) => tracing.spans.find(({ attributes }) => attributes['parley.asset.id'] === id);
const register = (one: ReturnType<typeof artifact>, requestId: string, traceparent: string) => {
  const caller = newCaller({ requestId });
  const request = { conversationId: uuidv7(), messageId: uuidv7(), artifacts: [one] };
  return service.stub.registerArtifacts(request, { caller, traceparent }).then(() => caller);
};

describe('an asset', () => {
  it('is fetched in a span of the trace of its request, which its events and the fetch have too', async () => {
    const one = artifact(fixture.upstream, consistsOf(PNG));
    const caller = await register(one, 'asked', SAMPLED);
    await reaches(service, caller, one.assetId, 'ready');
    const span = await waitFor(() => spanOf(one.assetId));
    expect(span).toMatchObject({
      name: 'asset.ingest',
      traceId: SAMPLED.slice(3, 35),
      parentSpanId: SAMPLED.slice(36, 52),
      error: undefined,
    });
    const fetched = fixture.upstream.calls.find(({ reference }) => reference === one.reference);
    expect(fetched).toMatchObject({ requestId: 'asked', traceparent: `00-${span.traceId}-${span.spanId}-01` });
    const traces = () =>
      events.flatMap(({ payload, traceparent }) =>
        payload?.$case === 'assetChanged' && payload.value.assetId === one.assetId ? [traceparent] : [],
      );
    await waitFor(() => traces().length === 4);
    expect(new Set(traces())).toEqual(new Set([SAMPLED]));
  });

  it('that a turn made is fetched in the trace of the turn', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, consistsOf(PNG));
    const value = {
      ...{
        turnId: uuidv7(),
        conversationId: uuidv7(),
        messageId: uuidv7(),
        workspaceId: caller.workspaceId,
        keyId: 'k',
        connectionId: 'c',
      },
      ...{ model: 'm', status: 'completed', errorCondition: '', tokensIn: 1, tokensOut: 1, durationMs: 1, artifacts: [one] },
    };
    const turn = { id: uuidv7(), payload: { $case: 'turnEnded' as const, value }, traceparent: SAMPLED };
    await fixture.bus.publish(EVENT_SUBJECTS.turnCompleted, EventBatch.encode({ events: [turn] }).finish());
    const span = await waitFor(() => spanOf(one.assetId));
    expect(span.traceId).toBe(SAMPLED.slice(3, 35));
    const consumed = await waitFor(() => tracing.spans.find(({ name }) => name === 'process asset-turns'));
    expect(consumed.links.map(({ context }) => context.traceId)).toEqual([SAMPLED.slice(3, 35)]);
  });

  it('keeps no trace that is not sampled, and the request id on every line', async () => {
    const [good, bad] = [
      artifact(fixture.upstream, consistsOf(PNG)),
      artifact(fixture.upstream, failsWith([new GatewayError('FILE_TOO_LARGE', 'too large')], consistsOf(PNG))),
    ];
    const before = await readMetric('parley_assets_total');
    const counted = (await readMetric('parley_asset_ingest_seconds_count'))[''] ?? 0;
    await reaches(service, await register(good, 'request-of-good', `${SAMPLED.slice(0, -2)}00`), good.assetId, 'ready');
    await reaches(service, await register(bad, 'request-of-bad', SAMPLED), bad.assetId, 'failed');
    const span = await waitFor(() => spanOf(bad.assetId));
    expect(span.error).toBe('FILE_TOO_LARGE');
    expect(spanOf(good.assetId)).toBeUndefined();
    const { rows } = await fixture.sql.query('SELECT request_id, traceparent FROM assets WHERE id = $1', [good.assetId]);
    expect(rows).toEqual([{ request_id: 'request-of-good', traceparent: '' }]);
    const requestIds = (id: string) => lines.flatMap((line) => (line['assetId'] === id ? [line['requestId']] : []));
    expect([new Set(requestIds(good.assetId)), new Set(requestIds(bad.assetId))]).toEqual([
      new Set(['request-of-good']),
      new Set(['request-of-bad']),
    ]);
    const after = await readMetric('parley_assets_total');
    const more = (labels: string) => (after[labels] ?? 0) - (before[labels] ?? 0);
    expect([more('type="image",status="ready"'), more('type="image",status="failed"')]).toEqual([1, 1]);
    expect((await readMetric('parley_asset_ingest_seconds_count'))['']).toBe(counted + 1);
  });
});
