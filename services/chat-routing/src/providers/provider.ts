import { type UpstreamMessage } from '@parley/protos/conversation/v1/resource';
import { type StoredFlowMachine } from './connect-flow.ts';
import { type FileOperations } from './file-operations.ts';
import { type ProjectOperations } from './project-operations.ts';
import { type ConnectResult, type UpstreamConnection } from './upstream-connection.ts';
import { type TurnSink, type TurnHandle, type UpstreamTurn } from './upstream-turn.ts';

/**
 * What connections of a provider are used for. Chat turns run in this service; the audio and actions services call the others themselves.
 */
export type Purpose = 'chat' | 'speech' | 'transcription' | 'api';

/** Static declaration of a provider; the manifest and validation errors are derived from it. */
export interface ConnectionTraits {
  /** The `provider` of a connection. */
  name: string;
  /** The `provider_family` of a connection. */
  family: string | null;
  purpose: Purpose;
  /** Entries of the manifest's `supports`. */
  supports: readonly string[];
  /** Whether a connection needs a secret before it is ready. */
  needsSecret: boolean;
  /** Whether models that the operator names are accepted unverified, for servers without a model list. */
  trustsNamedModels: boolean;
  /** Default base URL, or a function of the `account` that returns it; absent when the operator must enter one. */
  baseUrl?: string | ((account: string) => string);
}

/** Static declaration of a chat provider. */
export interface ProviderTraits extends ConnectionTraits {
  purpose: 'chat';
  /** Where conversation state is kept: at the upstream, or only in the gateway, which replays the history with every turn. */
  conversationState: 'upstream' | 'replayed';
}

/** The current state of a conversation at its upstream. */
export interface UpstreamConversation {
  /** State for the next turn; empty to keep the last one. */
  upstreamState: string;
  /** Messages of its current branch, oldest first. */
  messages: UpstreamMessage[];
  /** `messages` are only those added after the gateway's last turn, because the upstream cannot identify older ones. */
  onlyAdded?: true;
}

/** A provider of connections, for any purpose. */
export interface ConnectionProvider {
  traits: ConnectionTraits;
  /**
   * Verifies the operator's credentials, opening a session where the upstream needs one; returns models and secret. Throws a coded error.
   */
  connect(connection: UpstreamConnection): Promise<ConnectResult>;
  /** The provider's connect flow and display name. @default a single form derived from the traits */
  connectFlow?: { title: string; flow: StoredFlowMachine };
  /** Verifies a connection and returns its models. Throws a coded error. */
  test(connection: UpstreamConnection): Promise<{ models: string[] }>;
}

/** A provider of chat connections. Each adapter is a folder that exports one. */
export interface ChatProvider extends ConnectionProvider {
  traits: ProviderTraits;
  chat(turn: UpstreamTurn, sink: TurnSink): TurnHandle;
  /** Requests a one-token answer to verify that the model answers; absent when `test` proves the same. Throws a coded error. */
  probe?: (connection: UpstreamConnection, model: string) => Promise<void>;
  /**
   * Fetches the current state of a conversation; absent when the upstream keeps none. `upstreamState` is what `finished` or `failed`
   * reported last. Throws a coded error, CONVERSATION_BUSY while the upstream is still answering in it.
   */
  fetchConversation?: (connection: UpstreamConnection, upstreamState: string) => Promise<UpstreamConversation>;
  /**
   * Deletes what a turn may have created at the upstream before it moved to another connection; it is not an error when nothing exists. The
   * id is not used for any other turn on this connection. Throws a coded error. Absent when an abandoned turn leaves nothing behind, or the
   * adapter deletes it itself.
   */
  discardTurn?: (connection: UpstreamConnection, turnId: string) => Promise<void>;
  files?: FileOperations;
  projects?: ProjectOperations;
}
