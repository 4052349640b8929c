import { type ActionCatalog } from './catalog/action-catalog.ts';
import { type Risk } from './domain/workflow.ts';
import { type ConnectionLister } from './runs/require-connection.ts';
import { type Store } from './store/store.ts';

/** Dependencies of handlers. */
export interface Deps {
  store: Store;
  catalog: ActionCatalog;
  routing: ConnectionLister;
  /** Whether runs are accepted and executed. */
  executing: boolean;
  /** The highest risk of an action that may be run. */
  maxRisk: Risk;
}
