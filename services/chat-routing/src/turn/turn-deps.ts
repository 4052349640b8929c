import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type Connections } from '../connections/connections.ts';
import { type CleanupQueue } from '../connections/cleanup-queue.ts';
import { type Store } from '../store/store.ts';
import { type Recorder } from './recorder.ts';
import { type StallDetector } from './stall-detector.ts';
import { type TokenCounter } from './token-counter.ts';

/** Bounds of a turn in milliseconds. */
export interface TurnLimits {
  acceptanceMs: number;
  silenceMs: number;
  /** The whole turn. */
  turnMs: number;
  /** A streamed turn that is not accepted by then says that it waits, so that no proxy gives it up. */
  waitingMs: number;
  /** How long a turn waits for another one in the same conversation. */
  busyMs: number;
  /** How long the outcome of a turn waits for a record that is away. */
  recordMs: number;
}

/** What a turn works with. */
export interface TurnDeps {
  store: Store;
  conversation: Stub<typeof ConversationServiceService>;
  connections: Connections;
  recorder: Recorder;
  cleanups: CleanupQueue;
  tokens: TokenCounter;
  limits: TurnLimits;
  /** Undefined where the clients of turns stand still with this process. */
  standstill?: Pick<StallDetector, 'aftermath'> | undefined;
  log: Logger;
}
