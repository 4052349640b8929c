import { afterEach, describe, expect, it } from '@jest/globals';
import { EventBatch } from '@parley/protos/events/v1/events';
import { setTracer, Tracer } from '../telemetry/tracer.ts';
import { batchBySubject } from './batch-by-subject.ts';

const row = (id: string, subject: string, payload: Buffer = Buffer.from(id)) => ({ id, subject, payload, created_at: new Date() });

describe('batchBySubject', () => {
  const encode = batchBySubject((payloads) => Buffer.concat(payloads));

  it('makes one message per subject with its events in order', () => {
    const messages = encode([row('1', 'a'), row('2', 'b'), row('3', 'a')]);
    expect(messages.map(({ subject, bytes, msgId }) => [subject, Buffer.from(bytes).toString(), msgId])).toEqual([
      ['a', '13', '1:3:2'],
      ['b', '2', '2:2:1'],
    ]);
  });

  it('starts another message before the broker’s limit', () => {
    const big = Buffer.alloc(400 * 1_024);
    const messages = encode([row('1', 'a', big), row('2', 'a', big), row('3', 'a')]);
    expect(messages.map(({ msgId }) => msgId)).toEqual(['1:1:1', '2:3:2']);
  });

  describe('traces', () => {
    const [A, B] = ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-01'];
    const event = (id: string, subject: string, traceparent?: string) =>
      row(id, subject, Buffer.from(EventBatch.encode({ events: [{ id, traceparent }] }).finish()));
    const rows = [event('1', 'a', A), event('2', 'a'), event('3', 'b', A), event('4', 'b', B), event('5', 'c')];
    afterEach(() => setTracer(undefined));

    it('gives a message the trace that all its events with a trace have', () => {
      setTracer(new Tracer({ ratio: 0, slowMs: 1 }, () => undefined));
      expect(encode(rows).map(({ traceparent }) => traceparent)).toEqual([A, undefined, undefined]);
    });

    it('reads no traces in a process without a tracer', () => {
      expect(encode(rows).map(({ traceparent }) => traceparent)).toEqual([undefined, undefined, undefined]);
    });
  });

  it('makes nothing of nothing', () => {
    expect(encode([])).toEqual([]);
  });
});
