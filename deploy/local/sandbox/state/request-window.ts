const WINDOW_MS = 60_000;

/** Counts the requests of one account in windows of a minute, by the monotonic clock: a clock that jumps resets no window. */
export class RequestWindow {
  private startedAt = Number.NEGATIVE_INFINITY;
  private used = 0;

  /** Counts one request. Returns 0, or the seconds to wait when the window is used up. */
  take(limit: number, now = performance.now()): number {
    if (now - this.startedAt >= WINDOW_MS) {
      this.startedAt = now;
      this.used = 0;
    }
    if (this.used >= limit) return Math.max(1, Math.ceil((this.startedAt + WINDOW_MS - now) / 1000));
    this.used++;
    return 0;
  }
}
