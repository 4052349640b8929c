import { describe, expect, it } from '@jest/globals';
import { formatModelAliases, parseModelAliases, parseNameList } from './parse-names.ts';

describe('names that are typed', () => {
  it('are separated by commas and lines, and count once', () => {
    expect(parseNameList(' gpt-4o, gpt-4o-mini\n\ngpt-4o,')).toEqual(['gpt-4o', 'gpt-4o-mini']);
  });

  it('are aliases in lines, which come back as they went', () => {
    const aliases = { fast: 'gpt-4o-mini', best: 'gpt-4o' };
    expect(parseModelAliases(formatModelAliases(aliases))).toEqual(aliases);
    expect(parseModelAliases('fast: gpt-4o-mini')).toBeUndefined();
    expect(parseModelAliases('fast =')).toBeUndefined();
  });
});
