import { describe, expect, it } from '@jest/globals';
import { type ConnectionFacts, connectionView } from './connection-view.ts';

const ROW: ConnectionFacts['row'] = {
  id: 'id',
  workspaceId: 'workspace',
  label: 'main',
  provider: 'sandbox',
  baseUrl: 'http://localhost',
  models: ['m'],
  enabled: true,
  isDefault: false,
  maxConcurrency: null,
  createdAt: new Date(0),
  lastUsedAt: null,
};
const FACTS: ConnectionFacts = {
  row: ROW,
  traits: { family: null, supports: ['text'] },
  configured: true,
  proven: true,
  openings: 0,
  refused: [],
  admission: 'closed',
  cooldownMs: 0,
};

describe('connectionView', () => {
  it.each<[string, Partial<ConnectionFacts>, { status: string; health: string; cooldownSeconds?: number }]>([
    ['one that works', {}, { status: 'active', health: 'healthy' }],
    ['one that nobody used yet', { proven: false }, { status: 'active', health: 'unknown' }],
    ['one without its secret', { configured: false, proven: false }, { status: 'configured', health: 'unknown' }],
    ['one that is disabled', { row: { ...ROW, enabled: false }, admission: 'expired' }, { status: 'disabled', health: 'unhealthy' }],
    ['an expired one', { admission: 'expired' }, { status: 'expired', health: 'unhealthy' }],
    [
      'a limited one',
      { admission: 'rate_limited', cooldownMs: 299_001 },
      { status: 'rate_limited', health: 'rate_limited', cooldownSeconds: 300 },
    ],
    [
      'an open one',
      { admission: 'open', openings: 1, cooldownMs: 29_999 },
      { status: 'cooldown', health: 'cooldown', cooldownSeconds: 30 },
    ],
    ['a half-open one', { admission: 'half_open', openings: 2 }, { status: 'cooldown', health: 'cooldown', cooldownSeconds: 0 }],
    ['one that opens again and again', { admission: 'open', openings: 3, cooldownMs: 1 }, { status: 'cooldown', health: 'unhealthy' }],
  ])('shows %s', (_name, facts, expected) => {
    const { status, health, cooldownSeconds } = connectionView({ ...FACTS, ...facts });
    expect({ status, health, cooldownSeconds }).toEqual({ cooldownSeconds: undefined, ...expected });
  });

  it('shows who it is and what it can, and no secret', () => {
    expect(connectionView({ ...FACTS, refused: ['images'] })).toEqual({
      ...{ id: 'id', workspaceId: 'workspace', label: 'main', provider: 'sandbox', baseUrl: 'http://localhost', models: ['m'] },
      ...{ isDefault: false, createdAt: new Date(0), supports: ['text'], status: 'active', health: 'healthy', refused: ['images'] },
      ...{ providerFamily: undefined, lastUsedAt: undefined, cooldownSeconds: undefined },
    });
  });
});
