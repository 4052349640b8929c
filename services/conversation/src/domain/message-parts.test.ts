import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type StoredPart, toAttachedFiles, fromStoredParts, toStoredParts } from './message-parts.ts';

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const part = fc.record({
  content: fc.oneof(fc.record({ $case: fc.constant('text'), value: text }), fc.record({ $case: fc.constant('imageUrl'), value: text })),
});
const file = fc.record({ fileId: text, assetId: fc.uuid(), fileName: text, mimeType: text });

describe('parts and files of a message', () => {
  it('survive the round trip through JSON', () => {
    fc.assert(
      fc.property(fc.array(part), fc.array(file), (parts, files) => {
        const kept = toStoredParts(parts, files);
        expect(kept === null).toBe(parts.length + files.length === 0);
        const stored = JSON.parse(JSON.stringify(kept)) as StoredPart[] | null;
        expect(fromStoredParts(stored)).toEqual(parts);
        expect(toAttachedFiles(stored)).toEqual(files);
      }),
    );
  });

  it('store a file without text, and without characters that JSON columns reject', () => {
    const stored = toStoredParts([], [{ fileId: 'f', assetId: 'a', fileName: 'a\0\ud83d.txt', mimeType: 'text/plain' }]);
    expect(stored).toEqual([{ type: 'file', file: { file_id: 'f', asset_id: 'a', file_name: 'a\ufffd.txt', mime_type: 'text/plain' } }]);
  });
});
