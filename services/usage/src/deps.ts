import { type Store } from './store/store.ts';
import { type SampleMover } from './sweep/sample-mover.ts';

/** Dependencies of handlers. */
export interface Deps {
  store: Store;
  /** Brings the sketches up to date before a report. */
  samples: SampleMover;
  now: () => Date;
}
