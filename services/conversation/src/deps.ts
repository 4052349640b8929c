import { type SearchIndexer } from './search/search-indexer.ts';
import { type Store } from './store/store.ts';

/** Dependencies of handlers. */
export interface Deps {
  store: Store;
  /** Receives the owners of each search. */
  indexer: SearchIndexer;
}
