type Fields = Readonly<Record<string, unknown>>;

/** What an upstream says in an error, in whichever of the forms of these providers; empty where it says nothing. */
export function readErrorMessage(body: unknown): string {
  const outer = toFields(Array.isArray(body) ? body[0] : body);
  const candidates = [toFields(outer.error).message, outer.error, outer.message, outer.detail];
  return candidates.find((one) => typeof one === 'string') ?? '';
}

/** The same as an object; an empty one for anything else. */
export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
