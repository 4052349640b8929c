/** The value where it is one of those the API knows, so that a newer service never shows clients a spelling they cannot know. */
export function oneOf<T extends string>(values: readonly T[], value: string, otherwise: T): T {
  return values.find((known) => known === value) ?? otherwise;
}
