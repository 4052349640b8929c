import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { type UpstreamMessage } from '@parley/protos/conversation/v1/resource';
import { type GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';

/** What an adapter declares; the manifest and the refusals follow from it. */
export interface ProviderTraits {
  /** The `provider` of a connection. */
  name: string;
  /** The `provider_family` of a connection. */
  family: string | null;
  /** Who keeps the conversation: the upstream, or we replay its history with every turn. */
  conversationState: 'upstream' | 'replayed';
  /** Entries of the manifest's `supports`. */
  supports: readonly string[];
  /** Whether an account needs a secret before it is ready. */
  needsSecret: boolean;
}

/** An account as its adapter sees it. */
export interface ProviderAccount {
  id: string;
  baseUrl: string;
  account: string;
  /** API key or session token; empty when the upstream needs none. */
  secret: string;
}

/** Bounds of one upstream call in milliseconds. */
export interface Deadlines {
  /** Until the upstream has accepted the turn. @default 60_000 */
  acceptanceMs: number;
  /** Between two chunks. @default 60_000 */
  silenceMs: number;
}

/** One turn as it is put to the upstream. */
export interface UpstreamTurn {
  /** Unique per turn, but for one that repeats a failed one: upstreams that can, use it against duplicates. */
  turnId: string;
  /** A turn with this id was begun before and did not succeed; the upstream may have taken it all the same. */
  repeats: boolean;
  account: ProviderAccount;
  model: string;
  /** Only the new messages. */
  messages: readonly TurnMessage[];
  /** Whether the client wants the text as it comes. */
  stream: boolean;
  /** What `finished` or `failed` reported last; empty in a new conversation. */
  upstreamState: string;
  /** The messages before this turn, at once for a new conversation. Asked for by adapters that replay, and where the upstream knows of none yet. */
  history(): readonly HistoryMessage[] | Promise<readonly HistoryMessage[]>;
  deadlines: Deadlines;
}

/** What an adapter tells while a turn runs: `accepted` once, deltas, then `finished` or `failed`, once. */
export interface TurnSink {
  accepted(): void;
  /** Texts that arrived together. */
  deltas(texts: string[]): void;
  finished(outcome: UpstreamOutcome): void;
  /** `upstreamState` is set where the upstream kept something of the failed turn. */
  failed(error: GatewayError, upstreamState?: string): void;
}

/** How a turn ended upstream. */
export interface UpstreamOutcome {
  finishReason: string;
  upstreamState: string;
  /** Token counts where the upstream gives them. */
  usage?: { tokensIn: number; tokensOut: number };
}

/** The hold on a turn that is under way upstream. */
export interface UpstreamHold {
  /** Stops reading from the upstream. */
  pause(): void;
  resume(): void;
  /**
   * The client is gone. A stateless upstream is aborted, a stateful one is asked to stop; the sink hears
   * `finished` or `failed` either way, with what arrived until then.
   */
  stop(): void;
}

/** What a test or a connect found out about an account. */
export interface AccountFacts {
  models: string[];
  /** What to keep as the account's secret: the key itself, or the session the upstream opened. */
  secret: string;
}

/** A conversation as the upstream has it now. */
export interface UpstreamConversation {
  /** Where the next turn goes on; empty: where the last one ended. */
  upstreamState: string;
  /** On its current branch, oldest first. */
  messages: UpstreamMessage[];
}

/** An upstream chat product. The next adapter is one folder that exports one of these. */
export interface ChatProvider {
  traits: ProviderTraits;
  chat(turn: UpstreamTurn, sink: TurnSink): UpstreamHold;
  /** Opens a session with what the operator gave, and asks for the models. Throws a coded error. */
  connect(account: ProviderAccount): Promise<AccountFacts>;
  /** Asks whether a connected account works, and for its models. Throws a coded error. */
  test(account: ProviderAccount): Promise<{ models: string[] }>;
  /**
   * Asks how a conversation stands upstream now; absent where the upstream keeps none. `upstreamState` is what `finished` or `failed` reported
   * last. Throws a coded error, CONVERSATION_BUSY while the upstream is still answering in it.
   */
  fetchConversation?: (account: ProviderAccount, upstreamState: string) => Promise<UpstreamConversation>;
}
