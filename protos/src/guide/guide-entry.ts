/** What the developer of a client needs to know about a condition, as Markdown sentences. */
export interface GuideEntry {
  /** What the error means, in one sentence. */
  meaning: string;
  /** When the gateway returns it. */
  cause: string;
  /** What the client or the operator can do about it. */
  remedy: string;
  /** Whether and when to retry. @default a sentence derived from `retryable` */
  retry?: string;
}
