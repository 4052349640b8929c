import { describe, expect, it } from '@jest/globals';
import { type QuotaUse } from '../../api/quota.ts';
import { listQuotasNearLimit } from './quotas-near-limit.ts';

const use = (metric: QuotaUse['metric'], used: number, limit: number): QuotaUse => ({
  ...{ metric, used, limit, window_seconds: 60, window_ends_at: '2026-06-15T12:31:00.000Z' },
});

describe('quotas near their limit', () => {
  it('are those of which four fifths are used, the fullest first, whosever they are', () => {
    const found = listQuotasNearLimit([
      { id: 'a', name: 'little', quota_use: [use('requests', 7, 10)] },
      { id: 'b', name: 'much', quota_use: [use('requests', 8, 10), use('audio_seconds', 99, 100)] },
      { id: 'c', name: 'full', quota_use: [use('tokens', 100, 100)] },
      { id: 'd', name: 'unknown' },
    ]);
    expect(found.map(({ name, metric, used }) => [name, metric, used])).toEqual([
      ['full', 'tokens', 100],
      ['much', 'audio_seconds', 99],
      ['much', 'requests', 8],
    ]);
  });
});
