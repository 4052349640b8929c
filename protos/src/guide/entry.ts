/** What a client's developer wants to know of a condition: plain Markdown sentences. */
export interface GuideEntry {
  /** What the answer says, in one sentence. */
  meaning: string;
  /** What brings it about. */
  cause: string;
  /** What the client, or whoever runs it, can do. */
  remedy: string;
  /** Whether and when to try again. @default what `retryable` says */
  retry?: string;
}
