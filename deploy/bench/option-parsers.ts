import { InvalidArgumentError } from 'commander';

/** Parses an option that is a number in a range. */
export function number(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) throw new InvalidArgumentError(`a number from ${min} to ${max}`);
    return value;
  };
}

/** Parses an option that is a list of known names, separated by commas. */
export function list<T>(find: (name: string) => T | undefined): (text: string) => T[] {
  return (text) =>
    text.split(',').map((name) => {
      const found = find(name.trim());
      if (found === undefined) throw new InvalidArgumentError(`there is no ${name.trim()}`);
      return found;
    });
}

/** Parses ascending whole numbers from 10 to 10 million, separated by commas. */
export function sizes(text: string): number[] {
  const values = text.split(',').map(number(10, 10_000_000));
  const ascending = values.every((value, i) => Number.isInteger(value) && value > (values[i - 1] ?? 0));
  if (!ascending) throw new InvalidArgumentError('whole numbers, ascending');
  return values;
}
