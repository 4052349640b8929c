type Fields = Readonly<Record<string, unknown>>;

/** Returns the message in the error body of an upstream, in any of the shapes that these providers use; empty when there is none. */
export function readErrorMessage(body: unknown): string {
  const outer = toPlainObject(Array.isArray(body) ? body[0] : body);
  const candidates = [toPlainObject(outer.error).message, outer.error, outer.message, outer.detail];
  return candidates.find((one) => typeof one === 'string') ?? '';
}

/** Returns the value if it is a plain object, else an empty object. */
export function toPlainObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
