/** An event as it waits in the outbox; `payload` is an encoded `EventBatch`; batches that follow each other are one batch. */
export interface OutboxEvent {
  id: string;
  subject: string;
  payload: Uint8Array;
}
