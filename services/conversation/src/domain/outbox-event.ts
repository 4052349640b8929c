/** An event in the outbox; `payload` is an encoded `EventBatch`. Concatenated batches form one valid batch. */
export interface OutboxEvent {
  id: string;
  subject: string;
  payload: Uint8Array;
}
