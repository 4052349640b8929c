import { type Asset } from '@parley/protos/asset/v1/asset';
import { type AssetEventType } from '../wire/lifecycle-event.ts';

/** What is told of an asset on an open stream, and when its turn comes (spec §3.1, §6). */
const RANKS: Readonly<Record<AssetEventType, number>> = {
  'asset.discovered': 1,
  'asset.processing': 2,
  'asset.ready': 3,
  'asset.failed': 3,
};
const LAST = 3;

/**
 * How far an asset has come, as far as a client was told. Whatever of its life is seen, and in whatever order: the steps come in the order
 * of spec §3.1, each once, and none after the last.
 */
export class AssetProgress {
  #rank = 0;

  /** True when it is ready or failed: nothing more will be told. */
  get isOver(): boolean {
    return this.#rank === LAST;
  }

  /** The steps to tell now that the asset was seen like this. */
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
      // Nothing fails that no worker has taken up.
      return ['asset.discovered', 'asset.processing', 'asset.failed'];
    default:
      return ['asset.discovered'];
  }
}
