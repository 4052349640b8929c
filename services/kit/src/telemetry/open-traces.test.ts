import { describe, expect, it } from '@jest/globals';
import { LiveSpan } from './live-span.ts';
import { OpenTrace, OpenTraces } from './open-traces.ts';

function traceOf(traceId: string): OpenTrace {
  return new OpenTrace(new LiveSpan('request', { parent: '' }, { traceId, parent: undefined, sampled: false }, () => undefined));
}

describe('OpenTraces', () => {
  // More than there are buckets, so that most share one.
  const all = Array.from({ length: 5_000 }, (_, n) => traceOf(n.toString(16).padStart(32, '0')));

  it('finds each of many traces, until it is deleted', () => {
    const open = new OpenTraces();
    for (const trace of all) open.add(trace);
    const [odd, even] = [1, 0].map((rest) => all.filter((_, n) => n % 2 === rest));
    for (const trace of odd ?? []) open.delete(trace);
    expect(open.size).toBe(2_500);
    expect(even?.every((trace) => open.get(trace.root.traceId) === trace)).toBe(true);
    expect(odd?.some((trace) => open.get(trace.root.traceId))).toBe(false);
    for (const trace of [...(even ?? [])].reverse()) open.delete(trace);
    expect(open.size).toBe(0);
    expect(all.some((trace) => open.get(trace.root.traceId))).toBe(false);
  });

  it('does not mind a trace that is not there', () => {
    const open = new OpenTraces();
    const [first, second] = [traceOf('a'.repeat(32)), traceOf('a'.repeat(32))];
    open.add(first);
    open.delete(second);
    expect([open.size, open.get('a'.repeat(32))]).toEqual([1, first]);
  });
});

describe('OpenTrace', () => {
  it('has what waits in the order of its end, up to a bound', () => {
    const trace = traceOf('a'.repeat(32));
    const spans = Array.from({ length: 250 }, () => traceOf('a'.repeat(32)).root);
    for (const span of spans) trace.hold(span);
    expect(trace.listWaitingSpans()).toEqual(spans.slice(0, 200));
    trace.drop();
    expect(trace.listWaitingSpans()).toEqual([]);
  });
});
