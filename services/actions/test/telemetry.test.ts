import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { readMetric, recordSpans, SAMPLED } from '@parley/kit/testing/telemetry';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { openFixture, reaches, request, type TestFixture } from './fixture.ts';
import { answer, gate, PlayedSteps } from './played-steps.ts';
import { step, workflow, write } from './workflows.ts';

let fixture: TestFixture;
let bus: ReturnType<TestFixture['openBus']>;
let tracing: ReturnType<typeof recordSpans>;
beforeAll(async () => {
  enableMetrics('test');
  tracing = recordSpans();
  fixture = await openFixture();
  bus = fixture.openBus();
});
afterAll(async () => {
  tracing.stop();
  await bus.drain();
  await fixture.close();
});

describe('a run', () => {
  it('is a span with one for each step in the trace of its request, and counted with its steps', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLogger({
      service: 'actions',
      destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    });
    const steps = new PlayedSteps({ broken: () => answer(500) });
    const service = await fixture.start({}, { executors: steps.executors, log });
    const events: Event[] = [];
    const consuming = bus.consume({
      ...{ stream: EVENT_STREAM, durable: 'test-traces', filterSubject: EVENT_FILTERS.actionRuns },
      handler: (bytes) => void events.push(...EventBatch.decode(bytes).events),
    });
    const caller = { ...(await fixture.member()), requestId: 'asked' };
    const slug = await fixture.publish(workflow([write('one'), step('broken')]));
    const run = await service.stub.createRun(request(slug), { caller, traceparent: SAMPLED });
    await reaches(service, caller, run, 'needs_review');
    const whole = await waitFor(() => tracing.spans.find(({ name }) => name === 'action.run'));
    expect(whole).toMatchObject({ traceId: SAMPLED.slice(3, 35), parentSpanId: SAMPLED.slice(36, 52), error: 'ACTION_STEP_FAILED' });
    const done = tracing.spans.filter(({ name }) => name === 'action.step');
    expect(done.map(({ parentSpanId, attributes, error }) => [parentSpanId, attributes['parley.step.id'], error])).toEqual([
      [whole.spanId, 'one', undefined],
      [whole.spanId, 'broken', 'ACTION_STEP_FAILED'],
    ]);
    expect(steps.asked.map(({ caller: { requestId }, traceparent }) => [requestId, traceparent])).toEqual(
      done.map(({ traceId, spanId }) => ['asked', `00-${traceId}-${spanId}-01`]),
    );
    expect(lines.filter(({ runId }) => runId === run.id)).toMatchObject([{ msg: 'run ended', requestId: 'asked' }]);
    await waitFor(() => events.length === 2);
    expect(events.map(({ traceparent }) => traceparent)).toEqual([SAMPLED, SAMPLED]);
    expect(await readMetric('parley_runs_total')).toEqual({ 'status="needs_review"': 1 });
    expect(await readMetric('parley_run_steps_total')).toEqual({
      'kind="http",outcome="succeeded"': 1,
      'kind="http",outcome="failed"': 1,
    });
    expect(await readMetric('parley_runs_in_review')).toEqual({ '': 1 });
    await consuming.stop();
    await service.stop();
  });

  it('counts as backlog while no worker has it, and as taken over when its worker fell silent', async () => {
    const hold = gate();
    const [held, able] = [new PlayedSteps({ held: async (_asked, signal) => (await hold.pass(signal), answer(200)) }), new PlayedSteps()];
    const silent = await fixture.start({ workers: 1 }, { executors: held.executors });
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('held')]));
    const first = await silent.stub.createRun(request(slug), { caller });
    await waitFor(() => hold.seen.begun === 1);
    const second = await silent.stub.createRun(request(slug), { caller });
    const of = async (name: string) => (await readMetric(`parley_lease${name}`))['kind="runs"'];
    expect([await of('s_held'), await of('_backlog')]).toEqual([1, 1]);
    const other = await fixture.start({}, { executors: able.executors });
    await reaches(other, caller, second, 'succeeded');
    expect(await of('s_taken_over_total')).toBeUndefined();
    await fixture.silence(first.id);
    // Its workers look at once.
    await other.stub.createRun(request(slug), { caller });
    await reaches(other, caller, first, 'succeeded');
    expect(await of('s_taken_over_total')).toBe(1);
    hold.open();
    await silent.stop();
    await other.stop();
  });
});
