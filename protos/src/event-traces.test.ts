import { describe, expect, it } from '@jest/globals';
import { EventBatch } from '@parley/protos/events/v1/events';
import { listEventTraceparents } from './event-traces.ts';

const A = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const B = '00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203332-01';

function encode(traces: readonly (string | undefined)[]): Uint8Array {
  const value = { workspaceId: 'w', keyId: `Z700-${A}`, errors: 300, rateLimited: 1, at: new Date() };
  const payload = { $case: 'requestsRefused' as const, value };
  return EventBatch.encode({ events: traces.map((traceparent, n) => ({ id: String(n), payload, traceparent })) }).finish();
}

describe('listEventTraceparents', () => {
  it('finds the trace of each event, each once', () => {
    expect(listEventTraceparents(encode([undefined, A, B, A]), 10)).toEqual([A, B]);
    expect(listEventTraceparents(Buffer.concat([encode([A]), encode([undefined]), encode([B])]), 10)).toEqual([A, B]);
  });

  it('finds none in events without a trace, and stops at the limit', () => {
    expect(listEventTraceparents(encode([undefined, undefined]), 10)).toEqual([]);
    expect(listEventTraceparents(encode([A, B]), 1)).toEqual([A]);
  });

  it.each([['text'], ['\n\u00ff'], ['{"a":1}']])('finds none in bytes that are no batch: %j', (bytes) => {
    expect(listEventTraceparents(Buffer.from(bytes), 10)).toEqual([]);
  });
});
