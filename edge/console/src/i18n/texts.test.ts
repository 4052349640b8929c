import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askedKey, flatTexts, type Texts, variablesOf } from './testing/flat-texts.ts';
import { type TextUse, findTextUses } from './testing/text-uses.ts';

const SRC = dirname(dirname(fileURLToPath(import.meta.url)));
const COMMON = 'common';

/** The folders of texts by the namespace. */
const folders = new Map([[COMMON, join(SRC, 'locales')]]);
for (const feature of readdirSync(join(SRC, 'features'))) {
  const folder = join(SRC, 'features', feature, 'locales');
  if (existsSync(folder)) folders.set(feature, folder);
}
const read = (folder: string, language: 'en' | 'zh') => flatTexts(JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')));
const texts = new Map([...folders].map(([name, folder]) => [name, { en: read(folder, 'en'), zh: read(folder, 'zh') }]));

const PLURAL = /_(?:one|other)$/;
const counterpart = (key: string) => (key.endsWith('_one') ? key.replace(PLURAL, '_other') : key.replace(PLURAL, '_one'));

describe.each([...texts])('the texts of %s', (_name, { en, zh }) => {
  it('are the same ones in both languages', () => {
    expect([...zh.keys()].sort()).toEqual([...en.keys()].sort());
  });

  it('are none of them empty', () => {
    expect([...en, ...zh].filter(([, text]) => text === '').map(([key]) => key)).toEqual([]);
  });

  it('have places for the same values in both languages', () => {
    const places = (language: Texts) => Object.fromEntries([...language].map(([key, text]) => [key, variablesOf(text)]));
    expect(places(zh)).toEqual(places(en));
  });

  it('have both forms where they count', () => {
    expect([...en.keys()].filter((key) => PLURAL.test(key) && !en.has(counterpart(key)))).toEqual([]);
  });
});

/** Source of the pages, by path from `src`. */
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/generated|testing|\.test\.ts$/.test(file),
);
const uses = sources.flatMap((file) => {
  const [, feature = COMMON] = /^features[\\/]([^\\/]+)/.exec(file) ?? [];
  return findTextUses(readFileSync(join(SRC, file), 'utf8'), file, feature).map((use) => ({ ...use, file }));
});

/** The texts that a use may show: those of its namespace, else the common ones. */
function shownBy({ namespace, key, isPattern }: TextUse): [string, string][] {
  const pattern = new RegExp(`^${key.split('*').map(escaped).join('.+')}$`);
  const isShown = (name: string) =>
    isPattern
      ? pattern.test(name) || pattern.test(askedKey(name))
      : // A use may ask for a group of texts.
        name === key || askedKey(name) === key || name.startsWith(`${key}.`);
  const inOne = (name: string) => [...(texts.get(name)?.en ?? [])].filter(([one]) => isShown(one));
  const own = inOne(namespace);
  return own.length > 0 ? own : inOne(COMMON);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe('what to do about an error', () => {
  it('is said of codes that the gateway has', () => {
    const codes = new Set(Object.values(ERROR_CATALOGUE).map(({ code }) => `problems.${code}`));
    const own = new Set(['noAnswer', 'other', 'retryAfter_one', 'retryAfter_other'].map((name) => `problems.${name}`));
    const said = [...(texts.get(COMMON)?.en.keys() ?? [])].filter((key) => key.startsWith('problems.'));
    expect(said.filter((key) => !codes.has(key) && !own.has(key))).toEqual([]);
  });
});

describe('the texts that the pages ask for', () => {
  it('are of namespaces that there are', () => {
    expect(uses.filter(({ namespace }) => !texts.has(namespace))).toEqual([]);
  });

  it('are there', () => {
    expect(uses.length).toBeGreaterThan(50);
    const missing = uses.filter((use) => !use.hasDefault && shownBy(use).length === 0);
    expect(missing.map(({ file, namespace, key }) => `${file}: ${namespace} has no ${key}`)).toEqual([]);
  });

  it('are given every value that they have a place for', () => {
    const lacking = uses.flatMap((use) => {
      // Of several that a pattern may show, each needs values of its own.
      if (use.given === undefined || use.isPattern) return [];
      const needed = new Set(shownBy(use).flatMap(([, text]) => variablesOf(text)));
      return [...needed].filter((name) => !use.given?.includes(name)).map((name) => `${use.file}: ${use.key} without ${name}`);
    });
    expect(lacking).toEqual([]);
  });
});
