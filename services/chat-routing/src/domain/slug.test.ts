import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toSlug } from './slug.ts';

describe('the slug of a project', () => {
  it.each([
    ['Website relaunch', 'website-relaunch'],
    ['  Q3 / 2026 — Plans!  ', 'q3-2026-plans'],
    ['Café Übergröße', 'cafe-ubergrosse'],
    ['Łódź Øresund Æther', 'lodz-oresund-aether'],
    ['Anna’s notes', 'annas-notes'],
    ['ﬁnance Ⅳ', 'finance-iv'],
    ['UPPER_snake.case', 'upper-snake-case'],
    ['a', 'a'],
    ['7', '7'],
  ])('of %j is %s', (name, slug) => {
    expect(toSlug(name)).toBe(slug);
  });

  it.each(['Проект', 'プロジェクト', '🚀', '...', 'Проект 1'])('of %j, which ASCII cannot hold, has a digest', (name) => {
    expect(toSlug(name)).toMatch(/^(project|1)-[0-9a-f]{8}$/);
  });

  it('distinguishes names without ASCII letters', () => {
    expect(new Set(['Проект 1', 'Отчёт 1', '1', '🚀', '🐢'].map(toSlug)).size).toBe(5);
  });

  it('distinguishes long names with the same start', () => {
    const one = toSlug(`${'word '.repeat(40)}one`);
    expect(one).toHaveLength(63);
    expect(one).not.toBe(toSlug(`${'word '.repeat(40)}two`));
  });

  it('is the same for the same name however it is composed, spaced and capitalised', () => {
    expect(toSlug('Cafe\u0301  Проект')).toBe(toSlug(' CAFÉ проект'));
  });

  it('is always what a header can hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const slug = toSlug(name);
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(64);
      }),
    );
  });
});
