/** Something to wait for that can be rung before, while or after somebody waits; rings are not counted. */
export class Signal {
  #rung = false;
  #wake: (() => void) | undefined;

  /** Ends the wait, or the next one when nobody waits. */
  notify(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves true when rung, false after `ms` milliseconds. Does not keep a process alive. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#rung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, ms).unref();
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}
