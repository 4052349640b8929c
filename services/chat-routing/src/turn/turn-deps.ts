import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type CleanupQueue } from '../connections/cleanup-queue.ts';
import { type ConnectionRegistry } from '../connections/connection-registry.ts';
import { type Store } from '../store/store.ts';
import { type StallDetector } from './stall-detector.ts';
import { type TokenCounter } from './token-counter.ts';
import { type TurnRecorder } from './turn-recorder.ts';

/** Time limits of a turn in milliseconds. */
export interface TurnLimits {
  acceptanceMs: number;
  silenceMs: number;
  /** Maximum duration of the whole turn. */
  turnMs: number;
  /** A streamed turn that is not accepted by then sends `waiting`, so that proxies keep the connection open. */
  waitingMs: number;
  /** How long a turn waits for another turn of the same conversation. */
  busyMs: number;
  /** How long the outcome of a turn waits for an unavailable conversation service. */
  recordMs: number;
}

/** Dependencies of running turns. */
export interface TurnDeps {
  store: Store;
  conversation: Stub<typeof ConversationServiceService>;
  connections: ConnectionRegistry;
  recorder: TurnRecorder;
  cleanups: CleanupQueue;
  tokens: TokenCounter;
  limits: TurnLimits;
  /** Detects stalls of this process; undefined when the callers run in the same process and stall with it. */
  stallDetector?: Pick<StallDetector, 'whenDisconnectsRead'> | undefined;
  log: Logger;
}
