import { GatewayError } from '@parley/protos/errors';

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Bytes of a string that are read one by one before the next quote is searched for: for a short string the search costs more. */
const SHORT = 32;

/** Limits of the structure of a JSON text. */
export interface JsonLimits {
  /** Deepest nesting, in levels. */
  depth: number;
  /** Most values, counted by their separators. */
  values: number;
}

/**
 * Checks the structure of JSON as it arrives, before it is parsed: parsing a value costs far more than its bytes, and each level of nesting
 * costs memory. Takes time in proportion to the bytes and keeps none of them. It does not check the syntax.
 */
export class JsonStructureScanner {
  readonly #bounds: JsonLimits;
  #values = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(bounds: JsonLimits) {
    this.#bounds = bounds;
  }

  /** Upper bound of the values seen so far: each comma, and each opening of an array or object, counts as one. */
  get values(): number {
    return this.#values;
  }

  /** Scans the next bytes. @throws GatewayError VALIDATION_ERROR when a limit is exceeded */
  feed(bytes: Uint8Array): void {
    const { length } = bytes;
    for (let at = this.#isInString ? this.#endOfString(bytes, 0) : 0; at < length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          this.#isInString = true;
          at = this.#endOfString(bytes, at + 1) - 1;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          this.#values++;
          if (++this.#depth > this.#bounds.depth) throw invalid(`the body is nested deeper than ${this.#bounds.depth} levels`);
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.#depth--;
          break;
        case COMMA:
          this.#values++;
          break;
        default:
      }
    }
    if (this.#values > this.#bounds.values) throw invalid(`the body holds more than ${this.#bounds.values} values`);
  }

  /** Returns the position after the string that contains position `start`; the length of `bytes` when it does not end there. */
  #endOfString(bytes: Uint8Array, start: number): number {
    const { length } = bytes;
    let at = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    let short = at + SHORT;
    for (; at < length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#isInString = false;
        return at + 1;
      }
      if (byte === BACKSLASH) {
        at++;
        this.#isEscaped = at === length;
        short = at + SHORT;
      } else if (at > short) {
        at = this.#leap(bytes, at + 1) - 1;
        short = at + SHORT;
      }
    }
    return length;
  }

  /** Jumps to the next quote, or to the backslashes right before it: an inline image is one string of megabytes. */
  #leap(bytes: Uint8Array, start: number): number {
    const quote = bytes.indexOf(QUOTE, start);
    let at = quote === -1 ? bytes.length : quote;
    while (at > start && bytes[at - 1] === BACKSLASH) at--;
    return at;
  }
}

function invalid(message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param: 'body' });
}
