import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseProviderOptions } from './provider-options.ts';

const SCHEMA = z.strictObject({ rate: z.number().min(0.5).max(2).default(1), deep: z.object({ a: z.int() }).optional() });
const refused = (param: string) => expect.objectContaining({ condition: 'VALIDATION_ERROR', param });

describe('parseProviderOptions', () => {
  it('gives what the provider takes, and its defaults', () => {
    expect(parseProviderOptions(SCHEMA, '')).toEqual({ rate: 1 });
    expect(parseProviderOptions(SCHEMA, '{"rate":1.5,"deep":{"a":7}}')).toEqual({ rate: 1.5, deep: { a: 7 } });
  });

  it.each([
    ['{"rate":3}', 'provider_options.rate'],
    ['{"deep":{"a":"x"}}', 'provider_options.deep.a'],
    ['{"tempo":1}', 'provider_options'],
    ['[]', 'provider_options'],
    ['{', 'provider_options'],
  ])('refuses %s and says where', (json, param) => {
    expect(() => parseProviderOptions(SCHEMA, json)).toThrow(refused(param));
  });
});
