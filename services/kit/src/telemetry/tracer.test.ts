import { describe, expect, it } from '@jest/globals';
import { type RecordedSpan, type Span } from './span.ts';
import { type SamplingPolicy, Tracer } from './tracer.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = `${PARENT.slice(0, -2)}00`;

function open(policy: Partial<SamplingPolicy> = {}): { tracer: Tracer; kept: RecordedSpan[] } {
  const kept: RecordedSpan[] = [];
  return { tracer: new Tracer({ ratio: 0, slowMs: 1e9, ...policy }, (span) => kept.push(span)), kept };
}

/** A request with one call in it. */
function request(tracer: Tracer, parent: string, end: (call: Span) => void): void {
  const root = tracer.start('request', { parent });
  end(tracer.start('call', { parent: root.traceparent }));
  root.end();
}

describe('Tracer', () => {
  it('follows the flag of the parent and continues its trace', () => {
    const { tracer, kept } = open();
    request(tracer, PARENT, (call) => call.end());
    const [call, root] = kept;
    expect(root).toMatchObject({ name: 'request', traceId: PARENT.slice(3, 35), parentSpanId: PARENT.slice(36, 52) });
    expect(call).toMatchObject({ name: 'call', traceId: root?.traceId, parentSpanId: root?.spanId });
  });

  it.each([UNSAMPLED, ''])('drops what is neither sampled nor failed nor slow (parent %j)', (parent) => {
    const { tracer, kept } = open();
    request(tracer, parent, (call) => call.end());
    expect(kept).toEqual([]);
  });

  it('keeps the whole trace when one of its spans fails', () => {
    const { tracer, kept } = open();
    request(tracer, UNSAMPLED, (call) => call.end('PROVIDER_TIMEOUT'));
    expect(kept.map(({ name, error }) => [name, error])).toEqual([
      ['call', 'PROVIDER_TIMEOUT'],
      ['request', undefined],
    ]);
  });

  it('keeps a trace whose first span is slow', () => {
    const { tracer, kept } = open({ slowMs: 0 });
    request(tracer, '', (call) => call.end());
    expect(kept.map(({ name }) => name)).toEqual(['call', 'request']);
  });

  it.each([
    ['with its error', 'PROVIDER_TIMEOUT', ['call', 'other', 'request']],
    ['unless all went well', undefined, []],
  ])('keeps what was begun with a span as the parent as well, %s', (_, error, names) => {
    const { tracer, kept } = open();
    const root = tracer.start('request', { parent: UNSAMPLED });
    const call = tracer.start('call', { parent: root });
    tracer.start('other', { parent: call.traceparent }).end();
    call.end(error);
    root.end();
    const [other, ended, first] = kept;
    expect(kept.map(({ name }) => name).sort()).toEqual(names);
    expect([other?.parentSpanId, ended?.parentSpanId]).toEqual([ended?.spanId, first?.spanId]);
    expect(kept.every(({ traceId }) => traceId === UNSAMPLED.slice(3, 35))).toBe(true);
  });

  it('makes the attributes of a span only when it keeps it', () => {
    const { tracer, kept } = open();
    let made = 0;
    const details = () => ({ made: ++made });
    request(tracer, UNSAMPLED, (call) => {
      call.setAttributes(details);
      call.end();
    });
    expect([made, kept]).toEqual([0, []]);
    request(tracer, UNSAMPLED, (call) => {
      call.setAttributes({ made: 'before', a: 1 });
      call.setAttributes(details);
      call.end('INTERNAL_ERROR');
    });
    expect(kept[0]?.attributes).toEqual({ made: 1, a: 1 });
  });

  it('decides anew about what begins in a trace after its decision', () => {
    const { tracer, kept } = open();
    const root = tracer.start('request', { parent: UNSAMPLED });
    const late = tracer.start('late', { parent: root });
    root.end();
    late.end('too late');
    expect(kept).toEqual([]);
    tracer.start('after', { parent: root }).end('INTERNAL_ERROR');
    expect(kept).toMatchObject([{ name: 'after', traceId: UNSAMPLED.slice(3, 35) }]);
  });

  it('samples traces without a parent by ratio', () => {
    const { tracer, kept } = open({ ratio: 1 });
    request(tracer, '', (call) => call.end());
    expect(kept).toHaveLength(2);
  });

  it('keeps a trace without a parent when one of its links is sampled', () => {
    const { tracer, kept } = open();
    tracer.start('linked', { parent: '', links: [UNSAMPLED, PARENT] }).end();
    tracer.start('not linked', { parent: '', links: [UNSAMPLED] }).end();
    expect(kept.map(({ name, links }) => [name, links.length])).toEqual([['linked', 2]]);
  });

  it('ends a span once, with what was set and marked', () => {
    const { tracer, kept } = open();
    const span = tracer.start('turn', { parent: PARENT, attributes: { a: 1 }, links: [UNSAMPLED, 'nonsense'] });
    span.setAttributes({ b: 2 });
    span.addEvent('first_token');
    span.end();
    span.end('late');
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ attributes: { a: 1, b: 2 }, events: [{ name: 'first_token' }], error: undefined });
    expect(kept[0]?.links).toHaveLength(1);
  });

  it('holds no more than a bounded number of open traces, and still keeps sampled ones', () => {
    const { tracer, kept } = open();
    for (let opened = 0; opened < 10_000; opened++) tracer.start('left open', { parent: '' });
    tracer.start('one more', { parent: '' }).end('error');
    expect(kept).toEqual([]);
    tracer.start('sampled', { parent: PARENT }).end();
    expect(kept).toHaveLength(1);
  });
});
