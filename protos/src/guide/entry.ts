/** What the developer of a client needs to know about a condition, as Markdown sentences. */
export interface GuideEntry {
  /** What the answer says, in one sentence. */
  meaning: string;
  /** When the gateway answers so. */
  cause: string;
  /** What the client or the operator can do. */
  remedy: string;
  /** Whether and when to retry. @default what `retryable` says */
  retry?: string;
}
