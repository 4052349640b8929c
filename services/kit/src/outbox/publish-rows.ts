import { type Bus, BusUnavailable } from '../bus/bus.ts';
import { type OutboxMessage, type OutboxRow } from './outbox-row.ts';

/** Where and in what form rows are published. */
export interface PublishTarget {
  bus: Pick<Bus, 'publish'>;
  /** Packs rows into messages, usually `batchBySubject(...)`. Every row must be in one of them. */
  encode: (rows: readonly OutboxRow[]) => readonly OutboxMessage[];
}

/** The bus rejected the rows themselves; it is not a failure of the connection. */
export class RowsRefused extends Error {
  override name = 'RowsRefused';
  readonly rows: readonly OutboxRow[];

  constructor(rows: readonly OutboxRow[], cause: unknown) {
    super('the bus rejected events', { cause });
    this.rows = rows;
  }
}

/** Resolves when the stream has stored every row. @throws BusUnavailable, or RowsRefused with the bus's or the encoder's reason */
export async function publishRows({ bus, encode }: PublishTarget, rows: readonly OutboxRow[]): Promise<void> {
  try {
    await Promise.all(encode(rows).map(({ subject, bytes, ...options }) => bus.publish(subject, bytes, options)));
  } catch (error) {
    throw error instanceof BusUnavailable ? error : new RowsRefused(rows, error);
  }
}
