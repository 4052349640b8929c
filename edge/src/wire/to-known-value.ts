/**
 * Returns `value` when it is one of `values`, else `otherwise`, so that values of a newer service do not reach clients that cannot know
 * them.
 */
export function toKnownValue<T extends string>(values: readonly T[], value: string, otherwise: T): T {
  return values.find((known) => known === value) ?? otherwise;
}
