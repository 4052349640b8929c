import { type Bus } from '@parley/kit/bus/bus';
import { type Readiness } from '@parley/kit/lifecycle/readiness';
import { type Logger } from '@parley/kit/log/logger';
import { type Clients } from '../clients.ts';
import { type EdgeConfig } from '../config.ts';
import { type DownloadProxy } from '../downloads/download-proxy.ts';
import { type Identity } from '../identity/identity.ts';
import { type KeyCache } from '../keys/key-cache.ts';
import { type RefusalCounter } from '../middleware/refusal-counter.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type QuotaKeeper } from '../quota/quota-keeper.ts';
import { type Database } from '../store/client.ts';
import { type ChangeFeed } from '../watch/change-feed.ts';
import { type ChangeWatcher } from '../watch/change-watcher.ts';
import { type OpenStreams } from '../watch/open-streams.ts';
import { type KeptAnswers } from './chat/kept-answers.ts';

/** Dependencies of the handlers of the route table. */
export interface RouteDeps {
  clients: Clients;
  /** Downloads of assets and of speech. */
  downloads: DownloadProxy;
  config: EdgeConfig;
  db: Database;
  keys: KeyCache;
  /** People, their sessions and what they prove them with. */
  identity: Identity;
  bus: Pick<Bus, 'notify'>;
  /** Counts metered requests that are rejected before work begins. */
  refusals: Pick<RefusalCounter, 'count'>;
  /** What this process holds of leased quotas. */
  quotas: Pick<QuotaKeeper, 'held'>;
  /** Readiness of the edge, its dependencies and the services. */
  readiness: Pick<Readiness, 'report' | 'isDraining'>;
  /** What changes, for pages that show it. */
  feed: ChangeFeed;
  /** Bounds the streams of each person. */
  openStreams: OpenStreams;
  /** Answers of people that go on when their pages leave. */
  kept: Pick<KeptAnswers, 'stop'>;
  /** Watches runs of actions. */
  runWatch: ChangeWatcher;
  /** Aborts when the edge refuses new requests because it stops. */
  draining: AbortSignal;
  /** The table itself: the manifest and the API description are made from it. */
  routes: readonly RouteSpec[];
  /** When this edge started, in milliseconds since 1970. */
  startedAt: number;
  log: Logger;
}
