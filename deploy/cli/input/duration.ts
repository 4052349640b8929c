import { durationMs } from '@parley/kit/config/fields';
import { InvalidArgumentError } from 'commander';

/** A duration such as `90d` or `12h`, in milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const read = durationMs.safeParse(text);
  // A bare number would be milliseconds, which is never meant here.
  if (!read.success || read.data <= 0 || /^[\d.\s]+$/.test(text))
    throw new InvalidArgumentError('give a duration such as 90d, 12h or 30m.');
  return read.data;
}
