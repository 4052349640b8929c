import { type Bus, BusUnavailableError } from '../bus/bus.ts';
import { type OutboxMessage, type OutboxRow } from './outbox-row.ts';

/** The bus on which rows are published, and their encoding. */
export interface PublishTarget {
  bus: Pick<Bus, 'publish'>;
  /** Packs rows into messages, usually `batchBySubject(...)`. Every row must be in one of the messages. */
  encode: (rows: readonly OutboxRow[]) => readonly OutboxMessage[];
}

/** The bus rejected these rows, or they could not be encoded; not a connection failure. */
export class RowsRejectedError extends Error {
  override name = 'RowsRefused';
  readonly rows: readonly OutboxRow[];

  constructor(rows: readonly OutboxRow[], cause: unknown) {
    super('the bus rejected events', { cause });
    this.rows = rows;
  }
}

/**
 * Publishes rows; resolves when the stream has stored all of them.
 * @throws BusUnavailableError; RowsRejectedError with the reason of the bus or the encoder as its cause
 */
export async function publishRows({ bus, encode }: PublishTarget, rows: readonly OutboxRow[]): Promise<void> {
  try {
    await Promise.all(encode(rows).map(({ subject, bytes, ...options }) => bus.publish(subject, bytes, options)));
  } catch (error) {
    throw error instanceof BusUnavailableError ? error : new RowsRejectedError(rows, error);
  }
}
