import { type Asset } from '@parley/protos/asset/v1/asset';
import { type AssetEventType } from '../wire/lifecycle-event.ts';

/** The rank of each event of an asset, in the order in which they are sent. */
const RANKS: Readonly<Record<AssetEventType, number>> = {
  'asset.discovered': 1,
  'asset.processing': 2,
  'asset.ready': 3,
  'asset.failed': 3,
};
const LAST = 3;

/**
 * Decides which events of an asset a client still has to get. Whichever states are seen, in whichever order: the events come in the order
 * discovered, processing, ready or failed, each once.
 */
export class AssetEventSequence {
  #rank = 0;

  /** True when the asset is ready or failed: no event follows. */
  get isComplete(): boolean {
    return this.#rank === LAST;
  }

  /** Returns the events that are due for this status, in order. */
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
