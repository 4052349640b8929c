import { InvalidArgumentError } from 'commander';

/** A number of turns at once. */
export function parseConcurrency(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('must be a whole number from 1.');
}

/** The same, or `default` for what is configured. */
export function parseConcurrencyOrDefault(value: string): number | 'default' {
  return value === 'default' ? value : parseConcurrency(value);
}
