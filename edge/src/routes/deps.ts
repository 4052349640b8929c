import { type Bus } from '@parley/kit/bus/bus';
import { type Readiness } from '@parley/kit/lifecycle/readiness';
import { type Logger } from '@parley/kit/log/logger';
import { type Clients } from '../clients.ts';
import { type EdgeConfig } from '../config.ts';
import { type DownloadProxy } from '../downloads/download-proxy.ts';
import { type KeyCache } from '../keys/key-cache.ts';
import { type RefusalCounter } from '../middleware/refusal-counter.ts';
import { type Database } from '../store/client.ts';
import { type ChangeWatcher } from '../watch/change-watcher.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';

/** What the handlers of the route table work with. */
export interface RouteDeps {
  clients: Clients;
  /** The way to the bytes of assets and of spoken audio. */
  downloads: DownloadProxy;
  config: EdgeConfig;
  db: Database;
  keys: KeyCache;
  bus: Pick<Bus, 'notify'>;
  /** Metered requests that are refused before work begins are counted here. */
  refusals: Pick<RefusalCounter, 'count'>;
  /** How the edge, what it needs and the services stand. */
  readiness: Pick<Readiness, 'report'>;
  /** Tells that runs of actions have moved. */
  runWatch: ChangeWatcher;
  /** Aborts when the edge begins to drain. */
  draining: AbortSignal;
  /** The table itself: the manifest and the API description are made from it. */
  routes: readonly RouteSpec[];
  /** When this edge started, in milliseconds since 1970. */
  startedAt: number;
  log: Logger;
}
