import { stringify } from 'csv-stringify/sync';
import { type z } from 'zod';
import { type usageByGroup } from './usage.ts';

type Report = z.output<typeof usageByGroup>;

/**
 * Returns a usage report as CSV (RFC 4180) with a header row. Text that a spreadsheet would read as a formula is prefixed with an
 * apostrophe, because names come from clients.
 */
export function toUsageCsv({ by, groups }: Report): string {
  const rows = groups.map(({ id, name, duration, first_token: firstToken, errors_by_code: codes, ...sums }) => ({
    [by]: id,
    name,
    ...sums,
    ...withPrefix('duration', duration),
    ...withPrefix('first_token', firstToken),
    errors_by_code: codes.map(({ code, count }) => `${code}=${count}`).join(' '),
  }));
  return stringify(rows, {
    header: true,
    columns: COLUMNS.map((key) => (key === 'id' ? by : key)),
    record_delimiter: '\r\n',
    escape_formulas: true,
  });
}

const PERCENTILES = ['count', 'p50_ms', 'p90_ms', 'p95_ms', 'p99_ms'] as const;

const COLUMNS = [
  ...[
    'id',
    'name',
    'workspace_id',
    'requests',
    'successful',
    'errors',
    'rate_limited',
    'tokens_in',
    'tokens_out',
    'duration_ms',
    'audio_ms',
  ],
  ...['duration', 'first_token'].flatMap((of) => PERCENTILES.map((name) => `${of}_${name}`)),
  'errors_by_code',
];

function withPrefix(prefix: string, values: Record<(typeof PERCENTILES)[number], number>): Record<string, number> {
  return Object.fromEntries(PERCENTILES.map((name) => [`${prefix}_${name}`, values[name]]));
}
