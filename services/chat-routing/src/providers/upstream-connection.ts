/** An account as its adapter sees it. */
export interface UpstreamConnection {
  id: string;
  baseUrl: string;
  account: string;
  /** API key or session token; empty when the upstream needs none. */
  secret: string;
}

/** What a test or a connect found out about an account. */
export interface ConnectionFacts {
  models: string[];
  /** What to keep as the account's secret: the key itself, or the session the upstream opened. */
  secret: string;
}
