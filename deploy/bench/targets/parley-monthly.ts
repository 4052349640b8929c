import { startParley } from './parley.ts';
import { type Target } from './target.ts';

/** One process whose record is partitioned by month (ADR 0065): what it costs shows beside `parley-single`. */
export const parleyMonthly: Target = {
  name: 'parley-monthly',
  start: (site) => startParley(site, 'single', { PARLEY_PARTITIONS: 'monthly' }),
};
