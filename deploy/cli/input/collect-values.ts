/** Collects the values of an option that may be given several times. */
export function collectValues(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
