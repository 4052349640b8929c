import { type Store } from './store/store.ts';
import { type SampleAggregator } from './sweep/sample-aggregator.ts';

/** Dependencies of handlers. */
export interface Deps {
  store: Store;
  /** Updates the sketches before a report. */
  samples: SampleAggregator;
  now: () => Date;
}
