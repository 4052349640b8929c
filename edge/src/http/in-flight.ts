/** Counts the requests in progress, so that a drain can wait for them. */
export class InFlight {
  #count = 0;
  #idle: (() => void) | undefined;

  get count(): number {
    return this.#count;
  }

  enter(): void {
    this.#count++;
  }

  leave(): void {
    if (--this.#count === 0) this.#idle?.();
  }

  /** Resolves true once no request is in progress, or false when some still are after `ms` milliseconds. */
  async waitUntilIdle(ms: number): Promise<boolean> {
    if (this.#count === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const idle = new Promise<boolean>((resolve) => (this.#idle = () => resolve(true)));
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)));
    try {
      return await Promise.race([idle, late]);
    } finally {
      clearTimeout(timer);
      this.#idle = undefined;
    }
  }
}
