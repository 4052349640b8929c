import { type MonthlyTable } from '@parley/kit/db/monthly-partitions';

/**
 * The table of usage records: one row for each counted event, in the month of the event, which is the same at every delivery, so that an
 * event is counted once.
 */
export const USAGE_RECORD_TABLE: MonthlyTable = {
  name: 'usage_record',
  column: 'occurred_at',
  toLiteral: (time) => `'${time.toISOString()}'`,
};
