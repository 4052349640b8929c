import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type Accounts } from '../accounts/accounts.ts';
import { type ConnectionLeases } from '../accounts/connection-leases.ts';
import { type SecretBox } from '../domain/secret-box.ts';
import { type SourceFollower } from '../files/source-follower.ts';
import { type CleanupQueue } from '../accounts/cleanup-queue.ts';
import { type ProviderRegistry } from '../providers/registry.ts';
import { type ConnectionStore } from '../store/connections.ts';
import { type FileStore } from '../store/files.ts';
import { type ProjectStore } from '../store/projects.ts';
import { type RemovedConnectionStore } from '../store/removed-connections.ts';
import { type RoutingRuleStore } from '../store/routing-rules.ts';

/** What the cold handlers work with. */
export interface HandlerDeps {
  conversation: Stub<typeof ConversationServiceService>;
  accounts: Accounts;
  /** What the audio service has. */
  leases: ConnectionLeases;
  connections: ConnectionStore;
  /** Those that are gone, and the way there. */
  removed: RemovedConnectionStore;
  rules: RoutingRuleStore;
  projects: ProjectStore;
  files: FileStore;
  /** Follows what upstreams are still working on. */
  follower: SourceFollower;
  /** How long the upload of a file may take, in milliseconds. */
  uploadMs: number;
  cleanups: CleanupQueue;
  providers: ProviderRegistry;
  secrets: SecretBox;
  log: Logger;
}
