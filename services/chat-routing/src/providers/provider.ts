import { type UpstreamMessage } from '@parley/protos/conversation/v1/resource';
import { type ConnectFlow } from './connect-flow.ts';
import { type FileOperations } from './file-operations.ts';
import { type ProjectOperations } from './project-operations.ts';
import { type ConnectionFacts, type UpstreamConnection } from './upstream-connection.ts';
import { type TurnSink, type TurnHandle, type UpstreamTurn } from './upstream-turn.ts';

/** What connections are for: chat turns run on some, the services for audio and actions call the others themselves. */
export type Purpose = 'chat' | 'speech' | 'transcription' | 'api';

/** What any kind of connection declares; the manifest and the refusals follow from it. */
export interface ConnectionTraits {
  /** The `provider` of a connection. */
  name: string;
  /** The `provider_family` of a connection. */
  family: string | null;
  purpose: Purpose;
  /** Entries of the manifest's `supports`. */
  supports: readonly string[];
  /** Whether an account needs a secret before it is ready. */
  needsSecret: boolean;
  /** Models that the operator names are taken at his word, for servers that list none. */
  trustsNamedModels: boolean;
  /** Where the upstream is unless the operator names another place, by the `account` where it depends on that; absent: he has to. */
  baseUrl?: string | ((account: string) => string);
}

/** What a chat adapter declares besides. */
export interface ProviderTraits extends ConnectionTraits {
  purpose: 'chat';
  /** Where the conversation is kept: upstream, or in the record, whose history is replayed with every turn. */
  conversationState: 'upstream' | 'replayed';
}

/** A conversation as the upstream has it now. */
export interface UpstreamConversation {
  /** Where the next turn goes on; empty: where the last one ended. */
  upstreamState: string;
  /** On its current branch, oldest first. */
  messages: UpstreamMessage[];
  /** They are only those that were added behind our last turn: the upstream cannot tell which of the older ones are ours. */
  onlyAdded?: true;
}

/** What can be connected, whether turns run on it or not. */
export interface ConnectionKind {
  traits: ConnectionTraits;
  /** Opens a session with what the operator gave, and asks for the models. Throws a coded error. */
  connect(connection: UpstreamConnection): Promise<ConnectionFacts>;
  /** How a person connects an account step by step, and what it is called. @default one form, which follows from the traits */
  connectFlow?: { title: string; flow: ConnectFlow };
  /** Asks whether a connected account works, and for its models. Throws a coded error. */
  test(connection: UpstreamConnection): Promise<{ models: string[] }>;
}

/** An upstream chat product. The next adapter is one folder that exports one of these. */
export interface ChatProvider extends ConnectionKind {
  traits: ProviderTraits;
  chat(turn: UpstreamTurn, sink: TurnSink): TurnHandle;
  /** A cheap chat of one token that shows whether the model answers; absent where `test` shows as much. Throws a coded error. */
  probe?: (connection: UpstreamConnection, model: string) => Promise<void>;
  /**
   * Asks how a conversation stands upstream now; absent where the upstream keeps none. `upstreamState` is what `finished` or `failed` reported
   * last. Throws a coded error, CONVERSATION_BUSY while the upstream is still answering in it.
   */
  fetchConversation?: (connection: UpstreamConnection, upstreamState: string) => Promise<UpstreamConversation>;
  /**
   * Removes what a turn may have opened upstream before it went to another connection. What is not there is no error, and the
   * id is used for no other turn on this connection. Throws a coded error. Absent where a lost turn leaves nothing behind, or the adapter removes it by itself.
   */
  discardTurn?: (connection: UpstreamConnection, turnId: string) => Promise<void>;
  files?: FileOperations;
  projects?: ProjectOperations;
}
