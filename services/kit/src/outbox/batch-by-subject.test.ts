import { describe, expect, it } from '@jest/globals';
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

  it('makes nothing of nothing', () => {
    expect(encode([])).toEqual([]);
  });
});
