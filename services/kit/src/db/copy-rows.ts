import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A value in PostgreSQL's binary format, as buffers to be concatenated; null is SQL NULL. */
export type BinaryValue = readonly Buffer[] | null;

/** Bytes that are written to the connection at once. */
const CHUNK = 256 * 1_024;
/** Signature, no flags, no extension: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
const NULL = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/**
 * Writes rows with COPY in chunks, with a pause after each chunk: neither a row of megabytes nor thousands of rows block the event loop, as
 * one statement with all values as parameters would.
 * @param target the table with its columns, such as `messages (id, content)`; each row has one value per column
 * @throws DatabaseError when a row violates a constraint, with no row written; Error after `timeoutMs` milliseconds
 */
export async function copyRows(
  client: PoolClient,
  target: string,
  rows: AsyncIterable<readonly BinaryValue[]>,
  timeoutMs: number,
): Promise<void> {
  const copy = Object.assign(copyFrom(`COPY ${target} FROM STDIN (FORMAT binary)`), { query_timeout: timeoutMs });
  await pipeline(Readable.from(toChunks(rows)), client.query(copy));
}

async function* toChunks(rows: AsyncIterable<readonly BinaryValue[]>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [HEADER];
  let size = 0;
  for await (const row of rows) {
    for (const bytes of toTuple(row)) {
      held.push(bytes);
      if ((size += bytes.length) < CHUNK) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
      await letOthersRun();
    }
  }
  yield Buffer.concat([...held, TRAILER]);
}

function* toTuple(row: readonly BinaryValue[]): Generator<Buffer> {
  const count = Buffer.allocUnsafe(2);
  count.writeInt16BE(row.length);
  yield count;
  for (const value of row) {
    if (value === null) {
      yield NULL;
      continue;
    }
    yield encodeInt4(value.reduce((sum, { length }) => sum + length, 0));
    yield* value;
  }
}

/** Encodes an `int4`. @throws RangeError for a number outside of 32 bits */
export function encodeInt4(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Encodes a `uuid` from its canonical text form, which is not checked. */
export function encodeUuid(value: string): Buffer {
  return Buffer.from(value.replaceAll('-', ''), 'hex');
}
