import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Field numbers: `events` of `EventBatch`, `traceparent` of `Event` (parley/events/v1/events.proto). */
const EVENTS = 1;
const TRACEPARENT = 11;

/**
 * Returns the distinct `traceparent`s of the events of an encoded `EventBatch`, at most `limit`. Skips all other fields, so that it costs
 * much less than decoding the batch. Returns an empty list for bytes that are not a batch.
 */
export function listEventTraceparents(batch: Uint8Array, limit: number): string[] {
  const found = new Set<string>();
  try {
    const reader = new BinaryReader(batch);
    while (reader.pos < reader.len && found.size < limit) {
      const [field, type] = reader.tag();
      if (field === EVENTS && type === WireType.LengthDelimited) readEvent(reader, reader.uint32(), found);
      else reader.skip(type);
    }
  } catch {
    return [];
  }
  return [...found];
}

function readEvent(reader: BinaryReader, length: number, found: Set<string>): void {
  const end = reader.pos + length;
  while (reader.pos < end) {
    const [field, type] = reader.tag();
    if (field === TRACEPARENT && type === WireType.LengthDelimited) found.add(reader.string());
    else reader.skip(type);
  }
}
