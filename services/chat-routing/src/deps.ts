import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { type ExternalCalls } from './connections/external-calls.ts';
import { type ConnectLimits } from './domain/connect-limits.ts';
import { type NotifyFilesChanged, type SourceStatusPoller } from './files/source-status-poller.ts';
import { type ProviderRegistry } from './providers/registry.ts';
import { type RunningTurns } from './turn/running-turns.ts';
import { type TurnDeps } from './turn/turn-deps.ts';

/** Dependencies of handlers; `TurnDeps` is the part that a turn needs. */
export interface Deps extends TurnDeps {
  /** The turns that run in this process. */
  running: RunningTurns;
  /** Calls of other services on connections. */
  externalCalls: ExternalCalls;
  /** Polls the statuses of project files that upstreams are still processing. */
  sourcePoller: SourceStatusPoller;
  filesChanged: NotifyFilesChanged;
  /** How long the upload of a file may take, in milliseconds. */
  uploadMs: number;
  /** Limits of connect flows. */
  connectLimits: ConnectLimits;
  providers: ProviderRegistry;
  secrets: SecretBox;
}
