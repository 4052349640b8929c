/** The part of a connection that its provider adapter uses. */
export interface UpstreamConnection {
  id: string;
  baseUrl: string;
  account: string;
  /** API key or session token; empty when the upstream needs none. */
  secret: string;
}

/** Result of verifying a connection. */
export interface ConnectResult {
  models: string[];
  /** The secret to store: the key itself, or the token of the session that the upstream opened. */
  secret: string;
}
