import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as unknown;
/** Texts of the note itself. */
const OWN = ['noAnswer', 'other', 'retryAfter_one', 'retryAfter_other'];

describe('what to do about an error', () => {
  it('is said for codes that the gateway has', () => {
    const codes = new Set((read('../api/generated/errors.json') as { code: string }[]).map(({ code }) => code));
    const { problems } = read('../locales/en.json') as { problems: Record<string, string> };
    expect(Object.keys(problems).filter((name) => !OWN.includes(name) && !codes.has(name))).toEqual([]);
  });
});
