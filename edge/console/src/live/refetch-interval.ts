/** An answer that another client's request produces is read again this often: the record keeps it about once a second. */
const ANSWERING_MS = 1_000;

/** Returns the refetch interval of messages, by the last of them, in milliseconds; false when no answer is in progress. */
export function toRefetchIntervalMs(last: { status: string } | undefined): number | false {
  return last?.status === 'streaming' ? ANSWERING_MS : false;
}
