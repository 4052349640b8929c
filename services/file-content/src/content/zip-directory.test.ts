import { describe, expect, it } from '@jest/globals';
import { makeZip } from '../../test/fixtures/make-bytes.ts';
import { longNamesZip } from '../../test/fixtures/make-hostile.ts';
import { listEntryNames } from './zip-directory.ts';

describe('listEntryNames', () => {
  it('reads the names of a directory', () => {
    const bytes = makeZip({ 'word/document.xml': 'a', 'b/é.xml': 'b' });
    expect(listEntryNames(bytes, bytes)).toEqual(['word/document.xml', 'b/é.xml']);
  });

  it('reads the end of a name that is too long, where the kind of a file would stand', () => {
    const bytes = makeZip({ [`${'a'.repeat(5_000)}/vbaProject.bin`]: 'a' });
    expect(listEntryNames(bytes, bytes)).toEqual([`${'a'.repeat(1_024 - 15)}/vbaProject.bin`]);
  });

  it('copies no more than 10 MiB of names, however many headers go on over each other', () => {
    // Read as they are, these names would have 655 MB.
    const bytes = longNamesZip(20_000);
    const names = listEntryNames(bytes, bytes);
    expect(names).toHaveLength(10_000);
    expect(names.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(10_000 * 1_024);
  });
});
