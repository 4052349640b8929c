/** An answer that another client's request produces is read again this often: the record keeps it about once a second. */
const ANSWERING_MS = 1_000;

/** After how many milliseconds messages are read again, by the last of them; false where nothing is being written. */
export function toRefetchIntervalMs(last: { status: string } | undefined): number | false {
  return last?.status === 'streaming' ? ANSWERING_MS : false;
}
