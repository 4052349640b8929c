import { InvalidArgumentError } from 'commander';

/** A number of turns at once. */
export function concurrency(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('must be a whole number from 1.');
}

/** The same, or `default` for what is configured. */
export function newConcurrency(value: string): number | 'default' {
  return value === 'default' ? value : concurrency(value);
}
