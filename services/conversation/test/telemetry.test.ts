import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callMultiplexed } from '@parley/kit/rpc/multiplexed-call';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { type RecordedSpan } from '@parley/kit/telemetry/span';
import { setTracer, Tracer } from '@parley/kit/telemetry/tracer';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type RecordRequest } from '@parley/protos/conversation/v1/conversation';
import { type Event } from '@parley/protos/events/v1/events';
import { useService } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newBeginTurn, newEndTurn } from './turn-client.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SAMPLED = `00-${TRACE}-b7ad6b7169203331-01`;
const UNSAMPLED = `00-${TRACE}-b7ad6b7169203331-00`;

describe('what the record reports of itself', () => {
  enableMetrics('test');
  const bus = createRecordingBus();
  const service = useService({ bus, reaperIntervalMs: 20, runnerTimeoutMs: 1, unknownRunnerMs: 3_600_000 });
  const kept: RecordedSpan[] = [];
  beforeAll(() => setTracer(new Tracer({ ratio: 0, slowMs: 1e9 }, (span) => kept.push(span))));
  afterAll(() => setTracer(undefined));

  /** The value of a sample of a metric. */
  async function sample(name: string): Promise<number> {
    const line = (await readMetrics()).text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }

  /** Begins and ends a turn in a trace; gives its event. */
  async function turn(traceparent: string) {
    const [start, { stub }] = [newBeginTurn(), service.running];
    const init = { caller: service.client.caller, deadlineMs: 20_000, traceparent };
    const ask = (question: RecordRequest['question']) => callMultiplexed(stub.record, { question }, init);
    await ask({ $case: 'begin', value: start });
    await ask({ $case: 'end', value: newEndTurn(start, { times: { firstTokenMs: 45 } }) });
    const isOf = ({ payload }: Event) => payload?.$case === 'turnEnded' && payload.value.turnId === start.turnId;
    return waitFor(() => bus.events.map(({ event }) => event).find(isOf));
  }

  it('counts commits, their rows and the tokens of what was committed once', async () => {
    const start = newBeginTurn();
    await service.client.begin(start);
    await service.client.end(newEndTurn(start));
    await service.client.end(newEndTurn(start));
    await expect(sample('parley_recorded_tokens_total{type="input"}')).resolves.toBe(3);
    await expect(sample('parley_recorded_tokens_total{type="output"}')).resolves.toBe(5);
    await expect(sample('parley_group_commit_rows_sum{statement="begin"}')).resolves.toBe(1);
    await expect(sample('parley_group_commit_rows_sum{statement="end"}')).resolves.toBe(2);
    await expect(sample('parley_group_commit_seconds_count{statement="begin"}')).resolves.toBe(1);
    await expect(sample('parley_group_commit_queue{statement="end"}')).resolves.toBe(0);
  });

  it('counts searches and turns that were closed for their runner', async () => {
    await service.conversations.list({ search: 'quokka' });
    await expect(sample('parley_search_seconds_count')).resolves.toBe(1);
    const { runnerId, ...open } = newBeginTurn();
    await service.client.begin({ runnerId, ...open });
    await service.running.stub.heartbeat({ runnerId, runnerName: 'runner' }, { caller: service.client.caller, deadlineMs: 20_000 });
    await waitFor(async () => (await sample('parley_turns_reaped_total')) === 1);
  });

  it('has a span of each commit in a sampled trace, and its event continues the trace', async () => {
    const event = await turn(SAMPLED);
    expect(kept.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['record.begin', 'b7ad6b7169203331'],
      ['record.end', 'b7ad6b7169203331'],
    ]);
    expect(event).toMatchObject({
      traceparent: `00-${TRACE}-${kept[1]?.spanId}-01`,
      payload: { $case: 'turnEnded', value: { firstTokenMs: 45 } },
    });
  });

  it.each([UNSAMPLED, ''])('has none of a trace that is not sampled (%j)', async (traceparent) => {
    kept.length = 0;
    const event = await turn(traceparent);
    expect([kept, event?.traceparent]).toEqual([[], undefined]);
  });
});
