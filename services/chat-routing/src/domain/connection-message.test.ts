import { describe, expect, it } from '@jest/globals';
import { INITIAL_BREAKER_STATE } from './breaker.ts';
import { type ConnectionMessageInput, toConnectionMessage } from './connection-message.ts';

const ROW: ConnectionMessageInput['row'] = {
  id: 'id',
  workspaceId: 'workspace',
  label: 'main',
  provider: 'sandbox',
  baseUrl: 'http://localhost',
  models: ['m'],
  enabled: true,
  isDefault: false,
  maxConcurrency: null,
  pass: ['seed'],
  defaultModel: 'm',
  aliases: { fast: 'm' },
  createdAt: new Date(0),
  lastUsedAt: null,
};
const FACTS: ConnectionMessageInput = {
  row: ROW,
  traits: { family: null, supports: ['text'] },
  configured: true,
  state: { ...INITIAL_BREAKER_STATE, proven: true },
  admission: 'closed',
  cooldownMs: 0,
  now: 1_000,
};
const opened = (openings: number, openCause: 'failures' | 'credit' = 'failures') => ({ ...FACTS.state, openings, openCause });

describe('toConnectionMessage', () => {
  it.each<[string, Partial<ConnectionMessageInput>, { status: string; health: string; cooldownSeconds?: number }]>([
    ['one that works', {}, { status: 'active', health: 'healthy' }],
    ['an unused one', { state: INITIAL_BREAKER_STATE }, { status: 'active', health: 'unknown' }],
    ['one without its secret', { configured: false, state: INITIAL_BREAKER_STATE }, { status: 'configured', health: 'unknown' }],
    ['one that is disabled', { row: { ...ROW, enabled: false }, admission: 'expired' }, { status: 'disabled', health: 'unhealthy' }],
    ['an expired one', { admission: 'expired' }, { status: 'expired', health: 'unhealthy' }],
    [
      'a limited one',
      { admission: 'rate_limited', cooldownMs: 299_001 },
      { status: 'rate_limited', health: 'rate_limited', cooldownSeconds: 300 },
    ],
    [
      'an open one',
      { admission: 'open', state: opened(1), cooldownMs: 29_999 },
      { status: 'cooldown', health: 'cooldown', cooldownSeconds: 30 },
    ],
    ['a half-open one', { admission: 'half_open', state: opened(2) }, { status: 'cooldown', health: 'cooldown', cooldownSeconds: 0 }],
    ['one that opens again and again', { admission: 'open', state: opened(3), cooldownMs: 1 }, { status: 'cooldown', health: 'unhealthy' }],
    ['one that is on trial', { state: { ...opened(3), onTrial: true } }, { status: 'active', health: 'healthy' }],
    [
      'one without credit, however often it was found so',
      { admission: 'open', state: opened(4, 'credit'), cooldownMs: 2_400_000 },
      { status: 'cooldown', health: 'cooldown', cooldownSeconds: 2_400 },
    ],
  ])('shows %s', (_name, facts, expected) => {
    const { status, health, cooldownSeconds } = toConnectionMessage({ ...FACTS, ...facts });
    expect({ status, health, cooldownSeconds }).toEqual({ cooldownSeconds: undefined, ...expected });
  });

  it.each<[string, Partial<ConnectionMessageInput>]>([
    ['', {}],
    ['', { row: { ...ROW, enabled: false }, admission: 'expired' }],
    ['The credentials are missing.', { configured: false }],
    ['The provider no longer accepts the credentials.', { admission: 'expired' }],
    ['The provider limits how often it may be asked.', { admission: 'rate_limited' }],
    ['The provider failed several times.', { admission: 'open', state: opened(1) }],
    ['The credit at the provider is spent.', { admission: 'half_open', state: opened(1, 'credit') }],
  ])('says %j', (reason, facts) => {
    expect(toConnectionMessage({ ...FACTS, ...facts }).reason).toBe(reason);
  });

  it('shows the models that are paused, while they are', () => {
    const resting = [
      { model: 'm', rests: 1, until: 1_001 },
      { model: 'gone', rests: 1, until: 1_001 },
    ];
    const shown = (now: number) => toConnectionMessage({ ...FACTS, state: { ...FACTS.state, resting }, now }).restingModels;
    expect([shown(1_000), shown(1_001)]).toEqual([['m'], []]);
  });

  it('shows who it is and what it can, and no secret', () => {
    expect(toConnectionMessage({ ...FACTS, state: { ...FACTS.state, refused: ['images'] } })).toEqual({
      ...{ id: 'id', workspaceId: 'workspace', label: 'main', provider: 'sandbox', baseUrl: 'http://localhost', models: ['m'] },
      ...{ isDefault: false, createdAt: new Date(0), supports: ['text'], status: 'active', health: 'healthy', refused: ['images'] },
      ...{ pass: ['seed'], defaultModel: 'm', aliases: { fast: 'm' }, restingModels: [], reason: '' },
      ...{ providerFamily: undefined, lastUsedAt: undefined, cooldownSeconds: undefined },
    });
  });
});
