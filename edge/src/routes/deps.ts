import { type Bus } from '@parley/kit/bus/bus';
import { type Readiness } from '@parley/kit/lifecycle/readiness';
import { type Logger } from '@parley/kit/log/logger';
import { type Clients } from '../clients.ts';
import { type EdgeConfig } from '../config.ts';
import { type DownloadProxy } from '../downloads/download-proxy.ts';
import { type IdentityServices } from '../identity/identity-services.ts';
import { type KeyCache } from '../keys/key-cache.ts';
import { type RefusalCounter } from '../middleware/refusal-counter.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type QuotaReserver } from '../quota/quota-reserver.ts';
import { type Database } from '../store/client.ts';
import { type ChangeFeed } from '../watch/change-feed.ts';
import { type ChangeWatcher } from '../watch/change-watcher.ts';
import { type OpenStreams } from '../watch/open-streams.ts';
import { type ResumableAnswers } from './chat/resumable-answers.ts';

/** Dependencies that every route handler receives. */
export interface RouteDeps {
  clients: Clients;
  /** Proxies downloads of assets and of speech. */
  downloads: DownloadProxy;
  config: EdgeConfig;
  db: Database;
  keys: KeyCache;
  /** People, their sessions, credentials and tokens. */
  identity: IdentityServices;
  bus: Pick<Bus, 'notify'>;
  /** Counts metered requests that are rejected before work begins. */
  refusals: Pick<RefusalCounter, 'count'>;
  /** The leased quotas of this process. */
  quotas: Pick<QuotaReserver, 'getLeasedBalance'>;
  /** Readiness of the edge, its dependencies and the services. */
  readiness: Pick<Readiness, 'report' | 'isDraining'>;
  /** Changes of resources, for pages that show them. */
  feed: ChangeFeed;
  /** Limits the open change streams of each person. */
  openStreams: OpenStreams;
  /** Answers of people that continue when their clients leave. */
  resumableAnswers: Pick<ResumableAnswers, 'stop'>;
  /** Receives change notices of action runs. */
  runWatch: ChangeWatcher;
  /** Aborts when the edge refuses new requests because it stops. */
  draining: AbortSignal;
  /** All routes, from which the manifest and the API description are generated. */
  routes: readonly RouteSpec[];
  /** When this edge started, in milliseconds since 1970. */
  startedAt: number;
  log: Logger;
}
