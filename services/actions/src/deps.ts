import { type ActionCatalog } from './catalog/action-catalog.ts';
import { type Risk } from './domain/workflow.ts';
import { type ConnectionLister } from './runs/require-connection.ts';
import { type Store } from './store/store.ts';

/** Dependencies of handlers. */
export interface Deps {
  store: Store;
  catalog: ActionCatalog;
  routing: ConnectionLister;
  /** Whether runs are taken at all. */
  executing: boolean;
  /** The greatest risk that an action may have that is run. */
  maxRisk: Risk;
}
