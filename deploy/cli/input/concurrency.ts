import { InvalidArgumentError } from 'commander';

/** Parses a number of concurrent turns. */
export function parseConcurrency(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('must be a whole number from 1.');
}

/** Parses a number of concurrent turns, or `default` for the configured one. */
export function parseConcurrencyOrDefault(value: string): number | 'default' {
  return value === 'default' ? value : parseConcurrency(value);
}
