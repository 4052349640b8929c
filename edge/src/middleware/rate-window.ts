/** The window of a client after one of its requests was counted. */
export interface WindowState {
  /** True when the request is within the limit. */
  isAdmitted: boolean;
  /** Requests that remain in this window. */
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Counts the requests of each client in windows that start with its first request. */
export interface RateWindow {
  /** Counts a request; returns synchronously when the counter is in this process. Never rejects. */
  count(client: string): WindowState | Promise<WindowState>;
}
