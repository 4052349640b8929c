import { type Bus } from '@parley/kit/bus/bus';
import { ActionRunChanged, AssetChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';

/**
 * Hears of every move of a kind of thing in the gateway and tells those who follow that one. A notice is a hint to look, no more: it may be late,
 * lost, or overtaken by another one, so whoever follows looks by itself as well.
 */
export class ChangeWatcher {
  readonly #followers = new Map<string, Set<() => void>>();
  readonly #idOf: (bytes: Uint8Array) => string;
  readonly #unsubscribe: () => void;

  /** Subscribes once, for all followers; `idOf` reads from a notice which thing has moved. */
  constructor(bus: Pick<Bus, 'onNotice'>, subject: string, idOf: (bytes: Uint8Array) => string) {
    this.#idOf = idOf;
    this.#unsubscribe = bus.onNotice(subject, (bytes) => this.#hear(bytes));
  }

  /** How many things are followed. */
  get size(): number {
    return this.#followers.size;
  }

  /** Calls `moved` whenever the thing is said to have moved, until the answer is called. */
  follow(id: string, moved: () => void): () => void {
    const followers = this.#followers.get(id) ?? new Set();
    this.#followers.set(id, followers.add(moved));
    return () => {
      followers.delete(moved);
      if (followers.size === 0 && this.#followers.get(id) === followers) this.#followers.delete(id);
    };
  }

  /** Hears no more. */
  close(): void {
    this.#unsubscribe();
    this.#followers.clear();
  }

  #hear(bytes: Uint8Array): void {
    // Most of the time nobody follows anything, and other edges have most of the answers.
    if (this.#followers.size === 0) return;
    for (const moved of [...(this.#followers.get(this.#idOf(bytes)) ?? [])]) moved();
  }
}

/** Follows the lives of assets (spec §3.1). */
export function watchAssets(bus: Pick<Bus, 'onNotice'>): ChangeWatcher {
  return new ChangeWatcher(bus, NOTICES.assetChanged, (bytes) => AssetChanged.decode(bytes).assetId);
}

/** Follows runs of actions from event to event (spec §4.8). */
export function watchRuns(bus: Pick<Bus, 'onNotice'>): ChangeWatcher {
  return new ChangeWatcher(bus, NOTICES.actionRunChanged, (bytes) => ActionRunChanged.decode(bytes).runId);
}
