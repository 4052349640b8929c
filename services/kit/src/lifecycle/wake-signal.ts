/** A wake-up signal for one waiter. A `notify` before `wait` is remembered; several count as one. */
export class WakeSignal {
  #notified = false;
  #wake: (() => void) | undefined;

  /** Ends the current wait, or the next one. */
  notify(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Resolves true when notified, false after `ms` milliseconds. Does not keep a process alive. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#notified) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms).unref();
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    const notified = this.#notified;
    this.#notified = false;
    return notified;
  }
}
