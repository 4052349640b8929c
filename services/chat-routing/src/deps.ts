import { type ExternalCalls } from './connections/external-calls.ts';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { type ConnectLimits } from './domain/connect-limits.ts';
import { type FilesChanged, type SourceFollower } from './files/source-follower.ts';
import { type ProviderRegistry } from './providers/registry.ts';
import { type RunningTurns } from './turn/running-turns.ts';
import { type TurnDeps } from './turn/turn-deps.ts';

/** Dependencies of handlers; `TurnDeps` is the part that a turn needs. */
export interface Deps extends TurnDeps {
  /** Turns under way. */
  running: RunningTurns;
  /** Calls of other services on connections. */
  externalCalls: ExternalCalls;
  /** Follows files that upstreams are still processing. */
  follower: SourceFollower;
  filesChanged: FilesChanged;
  /** How long the upload of a file may take, in milliseconds. */
  uploadMs: number;
  /** Bounds of connecting an account step by step. */
  connectLimits: ConnectLimits;
  providers: ProviderRegistry;
  secrets: SecretBox;
}
