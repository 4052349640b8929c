/** A function that releases a resource; a promise that it returns is awaited. */
export type Cleanup = () => unknown;

/**
 * Runs cleanups in reverse order. Every cleanup runs, whatever the others throw.
 * Replaces the standard class: Node 20 has `Symbol.asyncDispose` but no `AsyncDisposableStack`.
 */
export class Disposables implements AsyncDisposable {
  #cleanups: Cleanup[] = [];

  /** Adds a cleanup, which runs before those added earlier. */
  defer(cleanup: Cleanup): void {
    this.#cleanups.push(cleanup);
  }

  /** Adds the cleanup of a resource and returns the resource. */
  adopt<T>(resource: T, cleanup: (resource: T) => unknown): T {
    this.defer(() => cleanup(resource));
    return resource;
  }

  /** Adds a disposable resource and returns it. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.adopt(resource, (used) => used[Symbol.asyncDispose]());
  }

  /**
   * Runs every cleanup once; a second call does nothing.
   * @throws the error of the cleanup that failed, or an AggregateError of several.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (const cleanup of this.#cleanups.splice(0).reverse()) {
      try {
        await cleanup();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'several cleanups failed');
  }
}

/**
 * Runs a start function: when it throws, the cleanups that it has added so far run, and the error is rethrown. Disposing of the result runs
 * the cleanups.
 */
export async function startWithCleanup<T extends object>(start: (parts: Disposables) => Promise<T>): Promise<T & AsyncDisposable> {
  const parts = new Disposables();
  try {
    const service = await start(parts);
    return Object.assign(service, { [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() });
  } catch (error) {
    await parts[Symbol.asyncDispose]().catch(() => undefined);
    throw error;
  }
}
