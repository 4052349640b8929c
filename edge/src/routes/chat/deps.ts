import { type Logger } from '@parley/kit/log/logger';
import { type RequestGuards } from '../../admission/request-guards.ts';
import { type Clients } from '../../clients.ts';
import { type EdgeConfig } from '../../config.ts';
import { type RefusalCounter } from '../../middleware/refusal-counter.ts';
import { type FlushScheduler } from '../../sse/flush-scheduler.ts';
import { type ChangeWatcher } from '../../watch/change-watcher.ts';
import { type KeptAnswers } from './kept-answers.ts';
import { type LargeBodyPool } from './large/large-body-pool.ts';

/** An internal, admin-managed project of a workspace (header X-Service-Project). */
export interface InternalProject {
  id: string;
  slug: string;
  name: string;
  /** `allow_general` or `require_project`: whether a turn without an upstream project may use the general space. */
  policy: string;
}

/**
 * Dependencies of the chat handler. Before it is called the dispatcher has rejected requests that arrive while draining, set the CORS headers on
 * the response and arranged the log line of the request.
 */
export interface ChatDeps extends RequestGuards {
  clients: Clients;
  /** Watches assets. */
  assetWatch: ChangeWatcher;
  /** Reads large bodies in threads of their own. */
  readers: LargeBodyPool;
  /** The streams that are open. */
  streams: FlushScheduler;
  /** Answers that go on when their clients leave. */
  kept: KeptAnswers;
  /** Whether turns go to another process: their messages are encoded then where they are read. */
  encodesTurns: boolean;
  /** Counts metered requests that are rejected before work begins. */
  refusals: Pick<RefusalCounter, 'count'>;
  /** The internal project with this slug in the workspace; undefined when there is none. */
  findInternalProject: (workspaceId: string, slug: string) => Promise<InternalProject | undefined>;
  /** Aborts when the edge begins to drain. */
  draining: AbortSignal;
  config: EdgeConfig;
  log: Logger;
}
