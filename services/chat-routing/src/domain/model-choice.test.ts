import { describe, expect, it } from '@jest/globals';
import { findModel, type ModelSettings, listOfferedModels, requireValidModelSettings } from './model-choice.ts';

const offer = (over: Partial<ModelSettings> = {}): ModelSettings => ({
  models: ['text-embedding-3-small', 'gpt-small', 'gpt-large'],
  defaultModel: '',
  aliases: { fast: 'gpt-small' },
  ...over,
});
const nothingRests = () => false;
const resting =
  (...names: string[]) =>
  (model: string) =>
    names.includes(model);

describe('findModel', () => {
  it.each<[string, Partial<ModelSettings>, string | undefined]>([
    ['auto', {}, 'gpt-small'],
    ['auto', { defaultModel: 'gpt-large' }, 'gpt-large'],
    ['auto', { defaultModel: 'gpt-gone' }, 'gpt-small'],
    ['auto', { models: ['text-embedding-3-small'] }, 'text-embedding-3-small'],
    ['auto', { models: [] }, 'auto'],
    ['gpt-large', {}, 'gpt-large'],
    ['fast', {}, 'gpt-small'],
    ['fast', { models: ['gpt-large'] }, undefined],
    ['fast', { models: ['fast', 'gpt-small'] }, 'fast'],
    ['unknown', {}, undefined],
    ['constructor', {}, undefined],
    ['__proto__', {}, undefined],
  ])('answers %s on %j with %s', (asked, over, model) => {
    expect(findModel(offer(over), asked, nothingRests)).toBe(model);
  });

  it.each<[string, string[], Partial<ModelSettings>, string | undefined]>([
    ['auto', ['gpt-small'], {}, 'gpt-large'],
    ['auto', ['gpt-large'], { defaultModel: 'gpt-large' }, 'gpt-small'],
    ['auto', ['gpt-small', 'gpt-large'], {}, 'text-embedding-3-small'],
    ['auto', ['gpt-small', 'gpt-large', 'text-embedding-3-small'], {}, undefined],
    ['gpt-small', ['gpt-small'], {}, undefined],
    ['fast', ['gpt-small'], {}, undefined],
  ])('answers %s while %j rest on %j with %s', (asked, names, over, model) => {
    expect(findModel(offer(over), asked, resting(...names))).toBe(model);
  });

  it('changes nothing when it is asked for what it answered', () => {
    const given = offer({ aliases: { fast: 'gpt-small', small: 'gpt-small' } });
    for (const asked of ['auto', 'fast', 'small', 'gpt-large']) {
      const model = findModel(given, asked, nothingRests) ?? '';
      expect(findModel(given, model, nothingRests)).toBe(model);
    }
  });
});

describe('listOfferedModels', () => {
  it('names models and aliases once, without those that are paused or lead nowhere', () => {
    const given = offer({ aliases: { fast: 'gpt-small', best: 'gpt-large', old: 'gpt-gone', 'gpt-large': 'gpt-small' } });
    expect(listOfferedModels(given, nothingRests)).toEqual(['text-embedding-3-small', 'gpt-small', 'gpt-large', 'fast', 'best']);
    expect(listOfferedModels(given, resting('gpt-small'))).toEqual(['text-embedding-3-small', 'gpt-large', 'best']);
  });
});

describe('requireValidModelSettings', () => {
  it('takes what the connection offers', () => {
    expect(() => requireValidModelSettings('chat', offer({ defaultModel: 'gpt-large' }))).not.toThrow();
    expect(() => requireValidModelSettings('api', { models: [], defaultModel: '', aliases: {} })).not.toThrow();
  });

  it.each<[string, string, Partial<ModelSettings>, string]>([
    ['an unknown default model', 'chat', { defaultModel: 'gpt-gone' }, 'default_model'],
    ['an alias as default model', 'chat', { defaultModel: 'fast' }, 'default_model'],
    ['an alias auto', 'chat', { aliases: { auto: 'gpt-small' } }, 'aliases'],
    ['an alias of an alias', 'chat', { aliases: { fast: 'gpt-small', faster: 'fast' } }, 'aliases'],
    ['an alias that is a model', 'chat', { aliases: { 'gpt-large': 'gpt-small' } }, 'aliases'],
    ['an empty alias', 'chat', { aliases: { '': 'gpt-small' } }, 'aliases'],
    ['an alias with a space', 'chat', { aliases: { 'so fast': 'gpt-small' } }, 'aliases'],
    ['101 aliases', 'chat', { aliases: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, 'gpt-small'])) }, 'aliases'],
    ['aliases of speech', 'speech', {}, 'aliases'],
    ['a default model of speech', 'speech', { defaultModel: 'gpt-small', aliases: {} }, 'default_model'],
  ])('refuses %s', (_name, purpose, over, param) => {
    expect(() => requireValidModelSettings(purpose, offer(over))).toThrow(
      expect.objectContaining({ condition: 'VALIDATION_ERROR', param }),
    );
  });
});
