/**
 * An event that waits for publication. The migrations of each service create the table:
 *
 *     CREATE TABLE outbox (
 *       id uuid PRIMARY KEY,                            -- UUIDv7: the event's id and its place in the queue
 *       subject text NOT NULL,
 *       payload bytea NOT NULL,
 *       created_at timestamptz NOT NULL DEFAULT now()
 *     );
 *
 * A row is inserted in the transaction that changes the state, and deleted when the stream has stored the event.
 */
export interface OutboxRow {
  id: string;
  subject: string;
  payload: Buffer;
  created_at: Date;
}

/** One message with the events of one or more rows. */
export interface OutboxMessage {
  subject: string;
  bytes: Uint8Array;
  /** The stream drops a second message with the same id. */
  msgId: string;
  /** The sampled trace that all events of the message with a trace belong to; undefined without one, and for several. */
  traceparent?: string;
}
