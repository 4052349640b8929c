import { type Bus } from '@parley/kit/bus/bus';
import { AssetChanged } from '@parley/protos/events/v1/events';
import { NOTICES } from '@parley/protos/subjects';

/**
 * Hears of every move of an asset in the house and tells those who follow that asset. A notice is a hint to look, no more: it may be late,
 * lost, or overtaken by another one, so whoever follows looks by itself as well.
 */
export class AssetWatch {
  readonly #followers = new Map<string, Set<() => void>>();
  readonly #unsubscribe: () => void;

  /** Subscribes once, for all followers. */
  constructor(bus: Pick<Bus, 'onNotice'>) {
    this.#unsubscribe = bus.onNotice(NOTICES.assetChanged, (bytes) => this.#hear(bytes));
  }

  /** How many assets are followed. */
  get size(): number {
    return this.#followers.size;
  }

  /** Calls `moved` whenever the asset is said to have moved, until the answer is called. */
  follow(assetId: string, moved: () => void): () => void {
    const followers = this.#followers.get(assetId) ?? new Set();
    this.#followers.set(assetId, followers.add(moved));
    return () => {
      followers.delete(moved);
      if (followers.size === 0 && this.#followers.get(assetId) === followers) this.#followers.delete(assetId);
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
    const { assetId } = AssetChanged.decode(bytes);
    for (const moved of [...(this.#followers.get(assetId) ?? [])]) moved();
  }
}
