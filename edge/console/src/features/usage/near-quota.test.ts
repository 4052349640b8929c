import { describe, expect, it } from '@jest/globals';
import { type UsageGroup } from '../../api/usage.ts';
import { findNear } from './near-quota.ts';

const NO_TIMES = { count: 0, p50_ms: 0, p90_ms: 0, p95_ms: 0, p99_ms: 0 };
const group = (id: string, counts: Partial<UsageGroup>): UsageGroup => ({
  ...{ id, name: id, workspace_id: null, requests: 0, successful: 0, errors: 0, rate_limited: 0, tokens_in: 0, tokens_out: 0 },
  ...{ duration_ms: 0, duration: NO_TIMES, first_token: NO_TIMES, errors_by_code: [] },
  ...counts,
});
const bounded = (id: string, quotas: object) => ({
  id,
  name: id,
  quotas: { requests: null, tokens: null, audio_seconds: null, ...quotas },
});

describe('quotas near their end', () => {
  it('are those with four fifths used in their period, the fullest first', () => {
    const all = [
      bounded('little', { requests: '10 per 1 day' }),
      bounded('much', { requests: '10 per 1 day' }),
      bounded('full', { tokens: '100 per 7 days' }),
      bounded('free', {}),
    ];
    const day = [group('little', { requests: 7 }), group('much', { requests: 8 }), group('free', { requests: 1000 })];
    const week = [group('full', { tokens_in: 40, tokens_out: 60 })];
    const found = findNear(all, { '24h': day, '7d': week });
    expect(found.map(({ id, metric, used }) => [id, metric, used])).toEqual([
      ['full', 'tokens', 100],
      ['much', 'requests', 8],
    ]);
  });

  it('do not count refused requests', () => {
    const all = [bounded('key', { requests: '10 per 1 day' })];
    expect(findNear(all, { '24h': [group('key', { requests: 20, rate_limited: 13 })] })).toEqual([]);
  });
});
