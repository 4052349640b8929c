import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type MemoryPolicy } from '../domain/memory-policy.ts';
import { type UpstreamConnection } from './upstream-connection.ts';

/** Bounds of one upstream call in milliseconds. */
export interface Deadlines {
  /** Until the upstream has accepted the turn. @default 60_000 */
  acceptanceMs: number;
  /** The same where a whole answer is the first thing that the upstream says. @default acceptanceMs */
  answerMs?: number;
  /** Between two chunks. @default 60_000 */
  silenceMs: number;
}

/** One turn as it is put to the upstream. */
export interface UpstreamTurn {
  /** Unique per turn, but for one that repeats a failed one: upstreams that can, use it against duplicates. */
  turnId: string;
  /** A turn with this id was begun before and did not succeed; the upstream may have taken it all the same. */
  repeats: boolean;
  connection: UpstreamConnection;
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
  /** Sampling parameters of the request that the connection passes on, by their names in the Chat Completions API; mostly empty. */
  parameters: Readonly<Record<string, unknown>>;
  /** W3C `traceparent` of the attempt, for the request that asks for the answer; empty without a trace. */
  traceparent: string;
}

/** A file as a turn attaches it. */
export interface TurnFile {
  fileId: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
  /** What `files.upload` answered, where the upstream keeps the file. */
  upstreamRef: string;
  /**
   * What `files.upload` prepared, where we replay it, with so many characters of its text at most; read when it is asked for. Of a file that has
   * a text, the file itself comes with 0 of it.
   */
  prepared(maxText: number): Promise<PreparedFile>;
}

/** A file as it is replayed to an upstream that keeps none. */
export interface PreparedFile {
  /** Its text, as far as it was taken out; empty for images. */
  text: string;
  /** The file as it is, where models read it: an image, or a PDF. Not as a `data:` URL, of which a copy would be made at every step. */
  original?: Buffer;
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

/** Receives the events of a running turn from its adapter: `accepted` once, deltas, then `finished` or `failed`, once. */
export interface TurnSink {
  accepted(): void;
  /** Texts that arrived together. */
  deltas(texts: string[]): void;
  /** What a reasoning model thinks, apart from its answer; after `accepted`. */
  reasoning(texts: string[]): void;
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
  /** The model that has answered, where the upstream says so. */
  model?: string | undefined;
}

/** The hold on a turn that is under way upstream. */
export interface TurnHandle {
  /** Stops reading from the upstream. */
  pause(): void;
  resume(): void;
  /**
   * The client is gone. A stateless upstream is aborted, a stateful one is asked to stop; the sink receives
   * `finished` or `failed` either way, with what arrived until then.
   */
  stop(): void;
}
