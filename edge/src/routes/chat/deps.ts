import { type Logger } from '@parley/kit/log/logger';
import { type NoticeWatch } from '../../watch/notice-watch.ts';
import { type Clients } from '../../clients.ts';
import { type EdgeConfig } from '../../config.ts';
import { type Authenticate } from '../../middleware/authenticate.ts';
import { type BytesInWork } from '../../middleware/bytes-in-work.ts';
import { type Refusals } from '../../middleware/refusals.ts';
import { type Throttle } from '../../middleware/throttle.ts';
import { type WorkspaceBound } from '../../middleware/workspace-bound.ts';
import { type Reserve } from '../../quota/quota-keeper.ts';
import { type TurnReaders } from './large/turn-readers.ts';

/** An internal, admin-managed project of a workspace (header X-Service-Project). */
export interface InternalProject {
  id: string;
  slug: string;
  name: string;
  /** `allow_general` or `require_project`: whether a turn without an upstream project may use the general space. */
  policy: string;
}

/**
 * What the chat handler is given. Before it is called the dispatcher has refused what arrives while draining, set the CORS headers on the
 * response and arranged the log line of the request; `requestId`, `requireScope`, `readJson`, `sendError` and `sendJson` are plain imports.
 */
export interface ChatDeps {
  clients: Clients;
  /** Hears of the moves of assets. */
  assetWatch: NoticeWatch;
  /** Synchronous when the key is cached. */
  authenticate: Authenticate;
  throttle: Throttle;
  /** Reserves of the quotas of a key and its workspace what a turn will take. */
  reserve: Reserve;
  /** Bounds what a workspace has under way. */
  workspaces: WorkspaceBound;
  /** Bounds what large bodies take of the memory. */
  bodies: BytesInWork;
  /** Reads large bodies in threads of their own. */
  readers: TurnReaders;
  /** Whether turns go to another process: their messages are encoded then where they are read. */
  encodesTurns: boolean;
  /** Metered requests that are refused before work begins are counted here. */
  refusals: Pick<Refusals, 'count'>;
  /** The internal project with this slug in the workspace; undefined when there is none. */
  findInternalProject: (workspaceId: string, slug: string) => Promise<InternalProject | undefined>;
  /** Aborts when the edge begins to drain. */
  draining: AbortSignal;
  config: EdgeConfig;
  log: Logger;
}
