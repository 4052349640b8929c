import { describe, expect, it } from '@jest/globals';
import { isUuid } from '@parley/kit/ids/uuid';
import { namedId } from './named-id.ts';

describe('the id of a name', () => {
  it('is the same UUID of version 8 every time, and no other name’s', () => {
    expect(namedId('audio of job 1')).toBe(namedId('audio of job 1'));
    expect(namedId('audio of job 2')).not.toBe(namedId('audio of job 1'));
    for (const name of Array.from({ length: 100 }, (_, index) => `name ${index}`)) {
      expect(isUuid(namedId(name))).toBe(true);
      expect(namedId(name)).toMatch(/^.{14}8.{4}[89ab]/);
    }
  });
});
