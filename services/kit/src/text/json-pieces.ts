/** Number of characters that are converted before other requests get the event loop: less than a millisecond of work. */
export const PIECE_CHARACTERS = 256 * 1_024;

/**
 * Yields the JSON text of a value in pieces, none much longer than `PIECE_CHARACTERS`, so that a large value does not block the event loop.
 * Concatenated, the pieces are what `JSON.stringify` returns for a value of plain objects, arrays, strings, numbers, booleans and null.
 */
export function* toJsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* jsonOfText(value);
  else if (Array.isArray(value)) yield* jsonOfArray(value);
  else if (typeof value === 'object' && value !== null) yield* jsonOfObject(value);
  else yield JSON.stringify(value ?? null);
}

/** Yields a text in pieces of `PIECE_CHARACTERS` characters; never splits a surrogate pair. */
export function* splitIntoPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_CHARACTERS;
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}

function* jsonOfArray(values: readonly unknown[]): Generator<string> {
  let separator = '[';
  for (const value of values) {
    yield separator;
    yield* toJsonPieces(value);
    separator = ',';
  }
  yield values.length === 0 ? '[]' : ']';
}

function* jsonOfObject(value: object): Generator<string> {
  let separator = '{';
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* toJsonPieces(field);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* jsonOfText(text: string): Generator<string> {
  if (text.length <= PIECE_CHARACTERS) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (const piece of splitIntoPieces(text)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
