import { describe, expect, it } from '@jest/globals';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { batchBySubject, repeatedField } from './batch-by-subject.ts';

const row = (id: string, subject: string, payload: Buffer = Buffer.from(id)) => ({ id, subject, payload, created_at: new Date() });

function items(bytes: Uint8Array): string[] {
  const reader = new BinaryReader(bytes);
  const found: string[] = [];
  while (reader.pos < reader.len) {
    expect(reader.uint32() >>> 3).toBe(1);
    found.push(Buffer.from(reader.bytes()).toString());
  }
  return found;
}

describe('batchBySubject', () => {
  const encode = batchBySubject(repeatedField(1));

  it('makes one message per subject with its events in order', () => {
    const messages = encode([row('1', 'a'), row('2', 'b'), row('3', 'a')]);
    expect(messages.map(({ subject, bytes, msgId }) => [subject, items(bytes), msgId])).toEqual([
      ['a', ['1', '3'], '1:3:2'],
      ['b', ['2'], '2:2:1'],
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
