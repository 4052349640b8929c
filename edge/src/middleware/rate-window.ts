/** The window of a client after a request of it was counted. */
export interface WindowState {
  /** Whether the request may pass. */
  isAdmitted: boolean;
  /** Requests that it may still make in this window. */
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Counts requests of each client in windows that begin with its first request. */
export interface RateWindow {
  /** Counts a request; synchronous where the counter is in this process. Never rejects. */
  take(client: string): WindowState | Promise<WindowState>;
}
