import { type Bus } from '@parley/kit/bus/bus';
import { ActionRunChanged, AssetChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';

/**
 * Receives the change notices of one kind of resource and calls the subscribers of the changed one. A notice may be late, lost or out of
 * order, so subscribers read the resource again, and also poll it.
 */
export class ChangeWatcher {
  readonly #subscribers = new Map<string, Set<() => void>>();
  readonly #idOf: (bytes: Uint8Array) => string;
  readonly #unsubscribe: () => void;

  /** Subscribes to the bus once for all subscribers; `idOf` reads the id of the changed resource from a notice. */
  constructor(bus: Pick<Bus, 'onNotice'>, subject: string, idOf: (bytes: Uint8Array) => string) {
    this.#idOf = idOf;
    this.#unsubscribe = bus.onNotice(subject, (bytes) => this.#receive(bytes));
  }

  /** The number of resources that have subscribers. */
  get size(): number {
    return this.#subscribers.size;
  }

  /** Calls `changed` for each notice of the resource, until the returned function is called. */
  subscribe(id: string, changed: () => void): () => void {
    const subscribers = this.#subscribers.get(id) ?? new Set();
    this.#subscribers.set(id, subscribers.add(changed));
    return () => {
      subscribers.delete(changed);
      if (subscribers.size === 0 && this.#subscribers.get(id) === subscribers) this.#subscribers.delete(id);
    };
  }

  /** Ends the subscription to the bus. */
  close(): void {
    this.#unsubscribe();
    this.#subscribers.clear();
  }

  #receive(bytes: Uint8Array): void {
    // Usually there are no subscribers: most answers run at other edges.
    if (this.#subscribers.size === 0) return;
    for (const changed of [...(this.#subscribers.get(this.#idOf(bytes)) ?? [])]) changed();
  }
}

/** Returns a watcher of assets, by asset id. */
export function watchAssets(bus: Pick<Bus, 'onNotice'>): ChangeWatcher {
  return new ChangeWatcher(bus, NOTICES.assetChanged, (bytes) => AssetChanged.decode(bytes).assetId);
}

/** Returns a watcher of action runs, by run id. */
export function watchRuns(bus: Pick<Bus, 'onNotice'>): ChangeWatcher {
  return new ChangeWatcher(bus, NOTICES.actionRunChanged, (bytes) => ActionRunChanged.decode(bytes).runId);
}
