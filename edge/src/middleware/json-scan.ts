import { GatewayError } from '@parley/protos/errors';

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Bytes of a string that are read one by one before the next quote is searched for: a search costs more than a short string. */
const SHORT = 32;

/** What JSON may consist of. */
export interface JsonBounds {
  /** Levels of nesting. */
  depth: number;
  /** Values and separators: what a value costs to parse and to keep. */
  values: number;
}

/**
 * Scans JSON as it arrives, before anything is parsed: a value costs far more to parse than its bytes, and a deep one costs memory by the
 * level. Takes time in proportion to the bytes and keeps nothing of them. The parser rejects what is not JSON.
 */
export class JsonScan {
  readonly #bounds: JsonBounds;
  #values = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Values at most that were seen so far: every comma is followed by one, and so is the opening of an array or object. */
  get values(): number {
    return this.#values;
  }

  /** Scans the next bytes. @throws GatewayError VALIDATION_ERROR when the bounds are passed */
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

  /** Where reading goes on behind the string that position `start` is in; the length of `bytes` when it does not end there. */
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

  /** An inline image is one string of megabytes: jumps to the next quote, or to the backslashes right before it. */
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
