import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { type UpstreamMessage } from '@parley/protos/conversation/v1/resource';
import { type GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type MemoryPolicy, type MemoryPolicyStatus } from '../domain/memory-policy.ts';

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
  /** Where the upstream is unless the operator names another place; absent: he has to. */
  baseUrl?: string;
}

/** What a chat adapter declares besides. */
export interface ProviderTraits extends ConnectionTraits {
  purpose: 'chat';
  /** Who keeps the conversation: the upstream, or we replay its history with every turn. */
  conversationState: 'upstream' | 'replayed';
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
  /** What the request attaches to its last user message, for adapters that take files. */
  files: readonly TurnFile[];
  /** What was attached to earlier messages, by the ids of the files, without those that are gone. */
  earlierFiles(fileIds: readonly string[]): Promise<ReadonlyMap<string, TurnFile>>;
  /** The project the conversation is in. */
  project: TurnProject | undefined;
  deadlines: Deadlines;
}

/** A file as a turn attaches it. */
export interface TurnFile {
  fileId: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
  /** What `files.upload` answered, where the upstream keeps the file. */
  upstreamRef: string;
  /** What `files.upload` prepared, where we replay it, with so many characters of its text at most; read when it is asked for. */
  prepared(maxText: number): Promise<PreparedFile>;
}

/** A file as it is replayed to an upstream that takes none. */
export interface PreparedFile {
  /** Its text, as far as it was taken out; empty for images. */
  text: string;
  /** An image as it is. Not as a `data:` URL, of which a copy would be made at every step. */
  image?: Buffer;
  /** What was left out, in a sentence the model can pass on; empty when nothing was. */
  omitted: string;
}

/** The project of a turn. */
export interface TurnProject {
  id: string;
  upstreamRef: string;
  name: string;
  instructions: string;
  memoryPolicy: MemoryPolicy;
  /**
   * Its ready files, oldest first, as they were prepared, with `maxText` characters of each at most and without pictures; asked for by adapters
   * that emulate projects.
   */
  sources(maxText: number): Promise<readonly (PreparedFile & { title: string })[]>;
}

/** Something that an upstream made in its answer. */
export interface UpstreamArtifact {
  kind: 'image' | 'file' | 'audio';
  name: string;
  /** What the upstream says it is. */
  mimeType: string;
  /** What `files.fetch` needs; opaque outside the adapter. */
  reference: string;
}

/** What an adapter tells while a turn runs: `accepted` once, deltas, then `finished` or `failed`, once. */
export interface TurnSink {
  accepted(): void;
  /** Texts that arrived together. */
  deltas(texts: string[]): void;
  /** The upstream made something; after `accepted`, before the end. */
  artifact(artifact: UpstreamArtifact): void;
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
  /** They are only those that were added behind our last turn: the upstream cannot tell which of the older ones are ours. */
  onlyAdded?: true;
}

/** A file on its way to an upstream; its bytes come once. */
export interface OutgoingFile {
  name: string;
  /** Decided by content. */
  mimeType: string;
  size: number;
  bytes: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** What became of a file that was uploaded: kept upstream, or prepared to be replayed. */
export interface StoredFile {
  upstreamRef: string;
  prepared?: PreparedFile;
}

/** Bytes on their way from an upstream. */
export interface IncomingFile {
  name: string;
  mimeType: string;
  size?: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** What an adapter can do with files of conversations. Everything throws coded errors. */
export interface FileOperations {
  upload(account: ProviderAccount, file: OutgoingFile): Promise<StoredFile>;
  /** Forgets an uploaded file; one that is unknown is no error. */
  remove(account: ProviderAccount, upstreamRef: string): Promise<void>;
  /** Gives what an artifact consists of; absent where the upstream makes none. */
  fetch?: (account: ProviderAccount, reference: string, signal: AbortSignal) => Promise<IncomingFile>;
}

/** A project as its upstream tells it. */
export interface ProjectFacts {
  upstreamRef: string;
  name: string;
  instructions: string;
  /** What the upstream says holds. */
  memoryPolicy: MemoryPolicy;
  memoryPolicyStatus: Exclude<MemoryPolicyStatus, 'unavailable'>;
}

/** How far the upstream is with a file of a project. */
export type SourceStatus = 'processing' | 'ready' | 'failed';

/** What an adapter can do with projects; absent: it has none, and cannot emulate them. Everything throws coded errors. */
export interface ProjectOperations {
  /** Policies that hold where they are asked for. */
  memoryPolicies: readonly MemoryPolicy[];
  create(account: ProviderAccount, wish: { name: string; instructions: string; memoryPolicy: MemoryPolicy }): Promise<ProjectFacts>;
  update(account: ProviderAccount, upstreamRef: string, change: { name?: string; instructions?: string }): Promise<void>;
  /** One that is gone already is no error. */
  remove(account: ProviderAccount, upstreamRef: string): Promise<void>;
  /** Asks for one that was made elsewhere. Throws PROJECT_NOT_FOUND. */
  get(account: ProviderAccount, upstreamRef: string): Promise<ProjectFacts>;
  addFile(account: ProviderAccount, projectRef: string, file: OutgoingFile): Promise<StoredFile & { status: SourceStatus }>;
  /** One that is gone already is no error. */
  removeFile(account: ProviderAccount, projectRef: string, fileRef: string): Promise<void>;
  /** Asks how far it is with its files, by their references. */
  fileStatuses(account: ProviderAccount, projectRef: string): Promise<ReadonlyMap<string, SourceStatus>>;
}

/** What can be connected, whether turns run on it or not. */
export interface ConnectionKind {
  traits: ConnectionTraits;
  /** Opens a session with what the operator gave, and asks for the models. Throws a coded error. */
  connect(account: ProviderAccount): Promise<AccountFacts>;
  /** Asks whether a connected account works, and for its models. Throws a coded error. */
  test(account: ProviderAccount): Promise<{ models: string[] }>;
}

/** An upstream chat product. The next adapter is one folder that exports one of these. */
export interface ChatProvider extends ConnectionKind {
  traits: ProviderTraits;
  chat(turn: UpstreamTurn, sink: TurnSink): UpstreamHold;
  /**
   * Asks how a conversation stands upstream now; absent where the upstream keeps none. `upstreamState` is what `finished` or `failed` reported
   * last. Throws a coded error, CONVERSATION_BUSY while the upstream is still answering in it.
   */
  fetchConversation?: (account: ProviderAccount, upstreamState: string) => Promise<UpstreamConversation>;
  files?: FileOperations;
  projects?: ProjectOperations;
}
