import { describe, expect, it } from '@jest/globals';
import { countCharacters, toProviderOptions, toOptionValues } from './provider-options.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    pitch: { description: 'Mean pitch of the voice in Hz.', type: 'number', minimum: 50, maximum: 400 },
    rate: { type: 'integer' },
    style: { type: 'string', enum: ['calm', 'news'] },
    boost: { type: 'boolean' },
    seed: { type: 'string' },
    nested: { type: 'object' },
  },
};

describe('the options of a provider', () => {
  const options = toProviderOptions(SCHEMA);

  it('are those that a form can ask for', () => {
    expect(options.map(({ name, kind }) => [name, kind])).toEqual([
      ['pitch', 'number'],
      ['rate', 'number'],
      ['style', 'choice'],
      ['boost', 'switch'],
      ['seed', 'text'],
    ]);
    expect(options[0]).toMatchObject({ min: 50, max: 400, isWhole: false, description: 'Mean pitch of the voice in Hz.' });
  });

  it('are sent as their provider takes them, and not at all when left empty', () => {
    expect(toOptionValues(options, { pitch: '120.5', rate: '', style: 'news', boost: 'false', seed: 'a' })).toEqual({
      pitch: 120.5,
      style: 'news',
      boost: false,
      seed: 'a',
    });
  });

  it('are none of a schema without properties', () => {
    expect(toProviderOptions({})).toEqual([]);
  });
});

it('counts a character outside of the basic plane once, and no space around the text', () => {
  expect(countCharacters('  a😀中 ')).toBe(3);
});
