import { listEventTraceparents } from '@parley/protos/event-traces';
import { isTracing } from '../telemetry/tracer.ts';
import { type OutboxMessage, type OutboxRow } from './outbox-row.ts';

/** Maximum payload of a message: below the broker's limit of 1 MiB, with space for headers. */
const MAX_BYTES = 768 * 1_024;

/**
 * Returns the encoder of a relay: packs rows, in their order, into one message per subject (more only where the broker's size limit
 * requires it). `join` concatenates payloads into one. The message id is derived from the rows: the same batch published twice is stored
 * once; batches that only overlap have different ids, and consumers deduplicate by event id. A message whose events belong to one trace has
 * its `traceparent`.
 */
export function batchBySubject(join: (payloads: readonly Uint8Array[]) => Uint8Array): (rows: readonly OutboxRow[]) => OutboxMessage[] {
  return (rows) => groups(rows).map((group) => toMessage(group, join));
}

type Group = [OutboxRow, ...OutboxRow[]];

function groups(rows: readonly OutboxRow[]): Group[] {
  const all: Group[] = [];
  const open = new Map<string, { group: Group; bytes: number }>();
  for (const row of rows) {
    const current = open.get(row.subject);
    if (current && current.bytes + row.payload.length <= MAX_BYTES) {
      current.group.push(row);
      current.bytes += row.payload.length;
    } else {
      const group: Group = [row];
      all.push(group);
      open.set(row.subject, { group, bytes: row.payload.length });
    }
  }
  return all;
}

function toMessage(group: Group, join: (payloads: readonly Uint8Array[]) => Uint8Array): OutboxMessage {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const bytes = join(group.map((row) => row.payload));
  const [traceparent, other] = isTracing() ? listEventTraceparents(bytes, 2) : [];
  return {
    subject: first.subject,
    bytes,
    msgId: `${first.id}:${last.id}:${group.length}`,
    ...(traceparent !== undefined && other === undefined && { traceparent }),
  };
}
