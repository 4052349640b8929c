/** Collects an option that may be given several times. */
export function repeatable(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}
