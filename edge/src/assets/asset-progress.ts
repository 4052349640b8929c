import { type Asset } from '@parley/protos/asset/v1/asset';
import { type AssetEventType } from '../wire/lifecycle-event.ts';

/** Events of an asset on an open stream, with their order. */
const RANKS: Readonly<Record<AssetEventType, number>> = {
  'asset.discovered': 1,
  'asset.processing': 2,
  'asset.ready': 3,
  'asset.failed': 3,
};
const LAST = 3;

/**
 * How far a client knows the progress of an asset. Whichever states are seen, in whichever order: the events come in the order discovered,
 * processing, ready or failed, each once, and none after the last.
 */
export class AssetProgress {
  #rank = 0;

  /** True when it is ready or failed: no event follows. */
  get isOver(): boolean {
    return this.#rank === LAST;
  }

  /** The events that are due when the asset has this status. */
  advance({ status }: Pick<Asset, 'status'>): AssetEventType[] {
    const steps = stepsTo(status).filter((step) => RANKS[step] > this.#rank);
    this.#rank = steps.reduce((rank, step) => Math.max(rank, RANKS[step]), this.#rank);
    return steps;
  }
}

function stepsTo(status: string): AssetEventType[] {
  switch (status) {
    case 'downloading':
    case 'validating':
      return ['asset.discovered', 'asset.processing'];
    case 'ready':
      return ['asset.discovered', 'asset.processing', 'asset.ready'];
    case 'failed':
      // An asset can fail only after a worker has started on it.
      return ['asset.discovered', 'asset.processing', 'asset.failed'];
    default:
      return ['asset.discovered'];
  }
}
