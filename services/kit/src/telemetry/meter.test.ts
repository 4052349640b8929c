import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '../testing/wait-for.ts';
import { createLabelLimiter, counter, enableMetrics, histogram, observeGauge, readMetrics } from './meter.ts';
import { METRICS } from './metrics.ts';

const ends: (() => void)[] = [];

// As in a process: instruments are constants of modules, before metrics are turned on.
counter('parley_turns_reaped_total');
counter('parley_throttled_total', [{ operation: 'known' }]);

describe('meter', () => {
  beforeAll(() => enableMetrics('1.2.3'));
  afterEach(() => ends.splice(0).forEach((end) => end()));

  it('reports counters and histograms with their labels', async () => {
    counter('parley_turns_total').add({ status: 'completed' });
    counter('parley_turns_total').add({ status: 'completed' }, 2);
    histogram('parley_turn_added_seconds').record({}, 0.002);
    const { text } = await readMetrics();
    expect(text).toContain('parley_turns_total{status="completed"} 3');
    expect(text).toContain('parley_turn_added_seconds_bucket{le="0.0025"} 1');
    expect(text).toContain('parley_build_info{version="1.2.3"');
  });

  it('reports counters of which all labels are known from 0 on, so that their first event is an increase', async () => {
    counter('parley_usage_records_total');
    const { text } = await readMetrics();
    expect(text).toMatch(/^parley_turns_reaped_total 0$/m);
    expect(text).toMatch(/^parley_usage_records_total 0$/m);
    expect(text).toMatch(/^parley_throttled_total\{operation="known"\} 0$/m);
  });

  it('counts values in buckets, with their sum and number, for each set of labels', async () => {
    const seconds = histogram('parley_request_duration_seconds');
    const constant = { operation: 'a "b" \\ c' };
    for (const value of [0.004, 0.005, 0.0051, 500]) seconds.record(constant, value);
    // Another object with the same values counts for the same series, also from another module.
    histogram('parley_request_duration_seconds').record({ ...constant }, 1);
    const { text } = await readMetrics();
    const line = (suffix: string, more = '') => `parley_request_duration_seconds${suffix}{operation="a \\"b\\" \\\\ c"${more}}`;
    for (const [name, value] of [
      [line('_bucket', ',le="0.005"'), 2],
      [line('_bucket', ',le="0.01"'), 3],
      [line('_bucket', ',le="120"'), 4],
      [line('_bucket', ',le="+Inf"'), 5],
      [line('_count'), 5],
    ])
      expect(text).toContain(`${name} ${value}\n`);
    expect(Number(text.split(`${line('_sum')} `)[1]?.split('\n')[0])).toBeCloseTo(501.0141);
  });

  it('keeps a count over scrapes', async () => {
    const failed = { status: 'failed' };
    counter('parley_turns_total').add(failed);
    await readMetrics();
    counter('parley_turns_total').add(failed);
    await readMetrics();
    expect((await readMetrics()).text).toContain('parley_turns_total{status="failed"} 2');
  });

  it('adds up what several observers report, until they end', async () => {
    const read = (value: number) => () => [{ labels: { connection: 'a', provider: 'p' }, value }];
    ends.push(observeGauge('parley_turns_in_flight', read(2)), observeGauge('parley_turns_in_flight', read(3)));
    expect((await readMetrics()).text).toContain('parley_turns_in_flight{connection="a",provider="p"} 5');
    ends.pop()?.();
    expect((await readMetrics()).text).toContain('parley_turns_in_flight{connection="a",provider="p"} 2');
  });

  it('measures the delay of the event loop from the first scrape on', async () => {
    await readMetrics();
    await waitFor(async () => /^parley_event_loop_delay_seconds\{quantile="max"\} \d/m.test((await readMetrics()).text));
    expect((await readMetrics()).text).not.toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('leaves out what cannot be read', async () => {
    ends.push(observeGauge('parley_outbox_rows', () => Promise.reject(new Error('the database is away'))));
    expect((await readMetrics()).text).not.toMatch(/^parley_outbox_rows[ {]/m);
    ends.push(observeGauge('parley_usage_capture_ratio', () => []));
    expect((await readMetrics()).text).not.toMatch(/^parley_usage_capture_ratio /m);
  });

  it('has names, types and labels that Prometheus accepts, and none that grows with users', () => {
    for (const [name, { type, labels }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^(gen_ai|parley)_[a-z0-9_]+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      for (const label of labels) expect(label).not.toMatch(/key|user|workspace|conversation|request_id|turn/);
    }
  });
});

describe('createLabelLimiter', () => {
  it('keeps the first values and calls the others "other"', () => {
    const label = createLabelLimiter(2);
    expect(['a', 'b', 'c', 'a'].map(label)).toEqual(['a', 'b', 'other', 'a']);
  });
});
