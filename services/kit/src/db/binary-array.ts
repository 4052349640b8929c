/**
 * Array parameters in PostgreSQL's binary format, which `pg` sends unchanged when a value is a Buffer. A text array is quoted, escaped and
 * parsed character by character; the binary format costs both sides less than half of that. The statement must cast the parameter to the
 * array's type.
 */

const UUID = 2950;
const TEXT = 25;
const INT4 = 23;
const INT8 = 20;
const BOOL = 16;
const BYTEA = 17;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const UUID_TEXT = 36;

/** Encodes a `uuid[]` from UUIDs in their canonical text form. @throws TypeError for any other text */
export function encodeUuidArray(values: readonly (string | null)[]): Buffer {
  return fixed(UUID, UUID_BYTES, values, writeUuid);
}

/** Encodes an `int4[]`. @throws RangeError for a number outside of 32 bits */
export function encodeIntArray(values: readonly (number | null)[]): Buffer {
  return fixed(INT4, 4, values, (buffer, at, value) => void buffer.writeInt32BE(value, at));
}

/** Encodes an `int8[]` from safe integers. @throws RangeError for any other number */
export function encodeBigintArray(values: readonly (number | null)[]): Buffer {
  return fixed(INT8, 8, values, writeInt64);
}

/** Encodes a `bool[]`. */
export function encodeBoolArray(values: readonly boolean[]): Buffer {
  return fixed(BOOL, 1, values, (buffer, at, value) => void (buffer[at] = value ? 1 : 0));
}

/** Encodes a `text[]`. */
export function encodeTextArray(values: readonly (string | null)[]): Buffer {
  let bytes = HEADER_BYTES;
  for (const value of values) bytes += LENGTH_BYTES + (value === null ? 0 : Buffer.byteLength(value));
  const buffer = open(TEXT, values, bytes);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) at = writeNull(buffer, at);
    else {
      const written = buffer.write(value, at + LENGTH_BYTES);
      buffer.writeInt32BE(written, at);
      at += LENGTH_BYTES + written;
    }
  }
  return buffer;
}

/** Encodes a `bytea[]`. */
export function encodeByteaArray(values: readonly (Uint8Array | null)[]): Buffer {
  let bytes = HEADER_BYTES;
  for (const value of values) bytes += LENGTH_BYTES + (value?.length ?? 0);
  const buffer = open(BYTEA, values, bytes);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) at = writeNull(buffer, at);
    else {
      buffer.writeInt32BE(value.length, at);
      buffer.set(value, at + LENGTH_BYTES);
      at += LENGTH_BYTES + value.length;
    }
  }
  return buffer;
}

function fixed<Value>(
  type: number,
  size: number,
  values: readonly (Value | null)[],
  write: (buffer: Buffer, at: number, value: Value) => void,
): Buffer {
  const nulls = values.reduce((count, value) => (value === null ? count + 1 : count), 0);
  const buffer = open(type, values, HEADER_BYTES + values.length * LENGTH_BYTES + (values.length - nulls) * size);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) at = writeNull(buffer, at);
    else {
      buffer.writeInt32BE(size, at);
      write(buffer, at + LENGTH_BYTES, value);
      at += LENGTH_BYTES + size;
    }
  }
  return buffer;
}

/**
 * Allocates the array and writes its head: number of dimensions, whether it has nulls, element type, length, index of the first element.
 */
function open(type: number, values: readonly unknown[], bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(type, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

/** Writes two halves instead of a `bigint`, which would be an allocation for each value. */
function writeInt64(buffer: Buffer, at: number, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError('not a safe integer');
  buffer.writeInt32BE(Math.floor(value / 2 ** 32), at);
  buffer.writeInt32BE(value | 0, at + 4);
}

function writeNull(buffer: Buffer, at: number): number {
  buffer.writeInt32BE(-1, at);
  return at + LENGTH_BYTES;
}

/** The value of a hexadecimal digit by its character code; 255 for any other character. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 255 : digit;
});

function writeUuid(buffer: Buffer, at: number, uuid: string): void {
  let wrong = uuid.length ^ UUID_TEXT;
  for (let from = 0, to = at; from < UUID_TEXT; from += 2, to++) {
    if (from === 8 || from === 13 || from === 18 || from === 23) wrong |= uuid.charCodeAt(from++) ^ 45;
    const high = DIGITS[uuid.charCodeAt(from)] ?? 255;
    const low = DIGITS[uuid.charCodeAt(from + 1)] ?? 255;
    wrong |= (high | low) & 0xf0;
    buffer[to] = (high << 4) | low;
  }
  if (wrong !== 0) throw new TypeError('not a UUID');
}
