import { randomFillSync } from 'node:crypto';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const POOL = Buffer.allocUnsafe(4_096);
const PER_ID = 10;

let used = POOL.length;
let lastMs = 0;
let sequence = 0;

/**
 * Returns a UUIDv7 (RFC 9562) that sorts after every earlier one of this process, also within a millisecond. Not the `uuid` package, which
 * takes nine times as long (2.2 against 0.24 µs); every turn creates several ids.
 */
export function uuidv7(): string {
  if (used + PER_ID > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const at = used;
  used += PER_ID;
  advance(at);
  const low = lastMs >>> 0;
  const high = Math.floor(lastMs / 0x1_0000_0000);
  return (
    `${hex(high >>> 8)}${hex(high)}${hex(low >>> 24)}${hex(low >>> 16)}-${hex(low >>> 8)}${hex(low)}-` +
    `${hex(0x70 | (sequence >>> 8))}${hex(sequence)}-${hex(0x80 | (byte(at + 2) & 0x3f))}${hex(byte(at + 3))}-` +
    `${hex(byte(at + 4))}${hex(byte(at + 5))}${hex(byte(at + 6))}${hex(byte(at + 7))}${hex(byte(at + 8))}${hex(byte(at + 9))}`
  );
}

/**
 * Sets the time and the sequence of the next id. In each millisecond the sequence starts at a random number in the lower half of 12 bits;
 * when it is used up, the time of the next millisecond is used early.
 */
function advance(at: number): void {
  const now = Date.now();
  if (now > lastMs) lastMs = now;
  else if (sequence < 0xfff) return void sequence++;
  else lastMs++;
  sequence = ((byte(at) & 0x07) << 8) | byte(at + 1);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version. */
export function isUuid(value: string): boolean {
  return value.length === 36 && UUID.test(value);
}

function byte(at: number): number {
  return POOL[at] as number;
}

function hex(value: number): string {
  return HEX[value & 0xff] as string;
}
