/** How to undo something; a promise is awaited. */
export type Cleanup = () => unknown;

/**
 * Undoes what was set up, last first. Every cleanup runs, whatever the others throw.
 * Of our own because Node 20 has `Symbol.asyncDispose` but no `AsyncDisposableStack`.
 */
export class Disposables implements AsyncDisposable {
  #cleanups: Cleanup[] = [];

  /** Remembers how to undo something. */
  defer(cleanup: Cleanup): void {
    this.#cleanups.push(cleanup);
  }

  /** Remembers a resource with how to undo it, and gives it back. */
  adopt<T>(resource: T, cleanup: (resource: T) => unknown): T {
    this.defer(() => cleanup(resource));
    return resource;
  }

  /** Remembers a disposable resource and gives it back. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.adopt(resource, (used) => used[Symbol.asyncDispose]());
  }

  /**
   * Undoes everything and forgets it; a second call has nothing to do.
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
 * Starts something in steps: what has been set up is undone when a later step throws, and kept otherwise.
 * The answer has the parts and disposes of them.
 */
export async function startAll<T extends object>(start: (parts: Disposables) => Promise<T>): Promise<T & AsyncDisposable> {
  const parts = new Disposables();
  try {
    const service = await start(parts);
    return Object.assign(service, { [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() });
  } catch (error) {
    await parts[Symbol.asyncDispose]().catch(() => undefined);
    throw error;
  }
}
