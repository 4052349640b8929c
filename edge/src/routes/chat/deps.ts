import { type Logger } from '@parley/kit/log/logger';
import { type RequestGuards } from '../../admission/request-guards.ts';
import { type Clients } from '../../clients.ts';
import { type EdgeConfig } from '../../config.ts';
import { type RefusalCounter } from '../../middleware/refusal-counter.ts';
import { type FlushScheduler } from '../../sse/flush-scheduler.ts';
import { type ChangeWatcher } from '../../watch/change-watcher.ts';
import { type LargeBodyPool } from './large/large-body-pool.ts';
import { type ResumableAnswers } from './resumable-answers.ts';

/** An internal, admin-managed project of a workspace (header X-Service-Project). */
export interface InternalProject {
  id: string;
  slug: string;
  name: string;
  /** `allow_general` or `require_project`: whether a turn without an upstream project may use the general space. */
  policy: string;
}

/**
 * Dependencies of the chat handler. Before it is called, the dispatcher has rejected requests that arrive while draining, set the CORS
 * headers, and registered the log line of the request.
 */
export interface ChatDeps extends RequestGuards {
  clients: Clients;
  /** Receives change notices of assets. */
  assetWatch: ChangeWatcher;
  /** Reads large bodies in worker threads. */
  largeBodyPool: LargeBodyPool;
  /** The open streams. */
  streams: FlushScheduler;
  /** Answers that continue when their clients leave. */
  resumableAnswers: ResumableAnswers;
  /** True when turns are sent to another process, so that large bodies are encoded in the thread that reads them. */
  encodesTurns: boolean;
  /** Counts metered requests that are rejected before work begins. */
  refusals: Pick<RefusalCounter, 'count'>;
  /** Returns the internal project with this slug in the workspace, or undefined. */
  findInternalProject: (workspaceId: string, slug: string) => Promise<InternalProject | undefined>;
  /** Aborts when the edge begins to drain. */
  draining: AbortSignal;
  config: EdgeConfig;
  log: Logger;
}
