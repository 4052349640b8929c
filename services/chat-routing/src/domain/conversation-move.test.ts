import { expect, it } from '@jest/globals';
import { findMoveMode } from './conversation-move.ts';

const kept = { provider: 'openai', baseUrl: 'https://api.example.com/v1', account: '', state: 'upstream' } as const;
const replayed = { provider: 'openai-compatible', baseUrl: 'http://localhost/v1', account: '', state: 'replayed' } as const;

it.each([
  ['two that keep nothing', replayed, { ...replayed, baseUrl: 'http://elsewhere/v1' }, 'replay'],
  ['two providers that keep nothing', replayed, { ...replayed, provider: 'other' }, 'replay'],
  ['the same account', kept, kept, 'keep'],
  ['the same account at an address with a slash', kept, { ...kept, baseUrl: `${kept.baseUrl}/` }, 'keep'],
  ['another account', kept, { ...kept, account: 'b' }, undefined],
  ['another place', kept, { ...kept, baseUrl: 'https://eu.example.com/v1' }, undefined],
  ['one that keeps to one that does not', kept, replayed, undefined],
  ['one that does not keep to one that does', replayed, kept, undefined],
] as const)('between %s', (_name, from, to, how) => {
  expect(findMoveMode(from, to)).toBe(how);
});
