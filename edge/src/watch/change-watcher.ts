import { type Bus } from '@parley/kit/bus/bus';
import { ActionRunChanged, AssetChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';

/**
 * Receives the change notices of one kind of resource and calls the followers of the changed one. A notice may be late, lost or out of
 * order, so followers read the resource again, and also poll it.
 */
export class ChangeWatcher {
  readonly #followers = new Map<string, Set<() => void>>();
  readonly #idOf: (bytes: Uint8Array) => string;
  readonly #unsubscribe: () => void;

  /** Subscribes once for all followers; `idOf` reads the id of the changed resource from a notice. */
  constructor(bus: Pick<Bus, 'onNotice'>, subject: string, idOf: (bytes: Uint8Array) => string) {
    this.#idOf = idOf;
    this.#unsubscribe = bus.onNotice(subject, (bytes) => this.#receive(bytes));
  }

  /** The number of resources that are followed. */
  get size(): number {
    return this.#followers.size;
  }

  /** Calls `changed` for each notice of the resource, until the returned function is called. */
  subscribe(id: string, changed: () => void): () => void {
    const followers = this.#followers.get(id) ?? new Set();
    this.#followers.set(id, followers.add(changed));
    return () => {
      followers.delete(changed);
      if (followers.size === 0 && this.#followers.get(id) === followers) this.#followers.delete(id);
    };
  }

  /** Ends the subscription. */
  close(): void {
    this.#unsubscribe();
    this.#followers.clear();
  }

  #receive(bytes: Uint8Array): void {
    // Usually there are no followers: most answers run at other edges.
    if (this.#followers.size === 0) return;
    for (const changed of [...(this.#followers.get(this.#idOf(bytes)) ?? [])]) changed();
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
