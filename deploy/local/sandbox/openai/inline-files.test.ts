import { describe, expect, it } from '@jest/globals';
import { extractInlineFiles } from './inline-files.ts';

describe('extractInlineFiles', () => {
  it('takes a file out of the message it came with', () => {
    const { text, files } = extractInlineFiles(
      '--- file "notes.txt"\nThe door\nis blue.\n--- end of "notes.txt"\n\nwhat colour has the door?',
    );
    expect(text).toBe('what colour has the door?');
    expect(files).toMatchObject([{ name: 'notes.txt', mimeType: 'text/plain', text: 'The door\nis blue.', size: 17 }]);
  });

  it('takes several, each with its own name', () => {
    const { text, files } = extractInlineFiles(
      'Instructions.\n\n--- file "a \\"b\\".csv"\n1,2\n--- end of "a \\"b\\".csv"\n\n--- file "c.md"\n# C\n--- end of "c.md"',
    );
    expect(text).toBe('Instructions.');
    expect(files.map(({ name }) => name)).toEqual(['a "b".csv', 'c.md']);
  });

  it.each(['hello', '--- file "a.txt"\nwithout an end', '--- file "a"\nx\n--- end of "b"'])('leaves %j as it is', (text) => {
    expect(extractInlineFiles(text)).toEqual({ text, files: [] });
  });
});
