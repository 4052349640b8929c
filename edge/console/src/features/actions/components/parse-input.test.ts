import { describe, expect, it } from '@jest/globals';
import { type ActionInput } from '../queries/catalog.ts';
import { findInputOfParam, type RawValue, parseInput } from './parse-input.ts';

const read = (type: ActionInput['type'], raw: RawValue, required = false) => parseInput({ type, required }, raw);

describe('parseInput', () => {
  it.each([
    ['string', ' a ', { value: ' a ' }],
    ['number', '1.5', { value: 1.5 }],
    ['number', 'many', { fault: 'number' }],
    ['integer', '3', { value: 3 }],
    ['integer', '3.5', { fault: 'integer' }],
    ['boolean', 'false', { value: false }],
    ['object', '{"a":1}', { value: { a: 1 } }],
    ['object', '[1]', { fault: 'object' }],
    ['array', '[1]', { value: [1] }],
    ['array', '{', { fault: 'json' }],
  ] as const)('reads %s of %j', (type, raw, reading) => {
    expect(read(type, raw)).toEqual(reading);
  });

  it('leaves out what is empty, unless it is required', () => {
    for (const type of ['string', 'number', 'boolean', 'object', 'file'] as const) {
      expect([read(type, ''), read(type, '', true)]).toEqual(['absent', { fault: 'required' }]);
    }
  });
});

describe('findInputOfParam', () => {
  it('finds the input that an error names', () => {
    const names = ['title', 'items'];
    expect(['input.title', 'input.items[0].sku', 'input.other', 'connection_id'].map((param) => findInputOfParam(param, names))).toEqual([
      'title',
      'items',
      undefined,
      undefined,
    ]);
  });
});
