import { describe, expect, it } from '@jest/globals';
import { toUsageCsv } from './usage-csv.ts';

const NONE = { count: 0, p50_ms: 0, p90_ms: 0, p95_ms: 0, p99_ms: 0 };
const GROUP = {
  ...{ id: 'k1', name: 'phone', workspace_id: 'w1', requests: 3, successful: 2, errors: 1, rate_limited: 0 },
  ...{ tokens_in: 120, tokens_out: 480, duration_ms: 2_400, audio_ms: 1_500 },
  ...{ duration: { count: 2, p50_ms: 700, p90_ms: 900, p95_ms: 950, p99_ms: 990 }, first_token: NONE },
  errors_by_code: [
    { code: 'PROVIDER_TIMEOUT', count: 2 },
    { code: 'EMPTY', count: 1 },
  ],
};
const toCsv = (groups: object[], by: 'key' | 'model' = 'key') =>
  toUsageCsv({ period: '7d', since: null, until: null, by, groups: groups.map((group) => ({ ...GROUP, ...group })) });

describe('usage as CSV', () => {
  it('has a header row and a line for each group, ended by CRLF', () => {
    expect(toCsv([{}, { id: 'k2', name: null, workspace_id: null, errors_by_code: [] }])).toBe(
      [
        'key,name,workspace_id,requests,successful,errors,rate_limited,tokens_in,tokens_out,duration_ms,audio_ms,duration_count,duration_p50_ms,duration_p90_ms,' +
          'duration_p95_ms,duration_p99_ms,first_token_count,first_token_p50_ms,first_token_p90_ms,first_token_p95_ms,first_token_p99_ms,errors_by_code',
        'k1,phone,w1,3,2,1,0,120,480,2400,1500,2,700,900,950,990,0,0,0,0,0,PROVIDER_TIMEOUT=2 EMPTY=1',
        'k2,,,3,2,1,0,120,480,2400,1500,2,700,900,950,990,0,0,0,0,0,',
        '',
      ].join('\r\n'),
    );
    expect(toCsv([])).toMatch(/^key,name,[^\n]*errors_by_code\r\n$/);
  });

  it('quotes what has a comma, a quotation mark or a line break', () => {
    expect(toCsv([{ name: 'a,"b"\nc' }])).toContain('\r\nk1,"a,""b""\nc",w1,');
  });

  it.each(['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1', '＝1'])('does not let a spreadsheet run %j', (name) => {
    expect(
      toCsv([{ id: name, name }], 'model')
        .split('\r\n')
        .slice(1)
        .join('\r\n'),
    ).toMatch(new RegExp(`^"?'`));
  });
});
