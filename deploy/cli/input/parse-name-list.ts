import { InvalidArgumentError } from 'commander';

/** Parses names with commas between them; the option may be repeated. */
export function parseNameList(value: string, before: string[] | undefined): string[] {
  const given = value.split(',').map((name) => name.trim());
  if (given.includes('')) throw new InvalidArgumentError('must be names with commas between them.');
  return [...(before ?? []), ...given];
}
