import { describe, expect, it } from '@jest/globals';
import { isUuid } from '@parley/kit/ids/uuid';
import { toNameBasedUuid } from './name-based-uuid.ts';

describe('the id of a name', () => {
  it('is the same UUID of version 8 every time, and no other name’s', () => {
    expect(toNameBasedUuid('audio of job 1')).toBe(toNameBasedUuid('audio of job 1'));
    expect(toNameBasedUuid('audio of job 2')).not.toBe(toNameBasedUuid('audio of job 1'));
    for (const name of Array.from({ length: 100 }, (_, index) => `name ${index}`)) {
      expect(isUuid(toNameBasedUuid(name))).toBe(true);
      expect(toNameBasedUuid(name)).toMatch(/^.{14}8.{4}[89ab]/);
    }
  });
});
