import { type HistoryMessage } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { type MemoryPolicy } from '../domain/memory-policy.ts';
import { type UpstreamConnection } from './upstream-connection.ts';

/** Time limits of one upstream call in milliseconds. */
export interface Deadlines {
  /** Until the upstream has accepted the turn. @default 60_000 */
  acceptanceMs: number;
  /** Replaces `acceptanceMs` when the first response is the complete answer. @default acceptanceMs */
  answerMs?: number;
  /** Maximum time between two chunks. @default 60_000 */
  silenceMs: number;
}

/** One attempt of a turn, as the provider adapter receives it. */
export interface UpstreamTurn {
  /** Unique per turn, except that a repeated turn has the id of the failed one; upstreams may use it to detect duplicates. */
  turnId: string;
  /** A turn with this id was sent before and did not succeed; the upstream may have accepted it nevertheless. */
  repeats: boolean;
  connection: UpstreamConnection;
  model: string;
  /** Only the new messages. */
  messages: readonly TurnMessage[];
  /** Whether the client requested a streamed answer. */
  stream: boolean;
  /** The opaque state that `finished` or `failed` reported last; empty in a new conversation. */
  upstreamState: string;
  /**
   * The messages before this turn; synchronous for a new conversation. For adapters that replay, and when the upstream has none of them
   * yet.
   */
  history(): readonly HistoryMessage[] | Promise<readonly HistoryMessage[]>;
  /** Files that the request attaches to its last user message. */
  files: readonly TurnFile[];
  /** Returns files of earlier messages by file id; files that no longer exist are left out. */
  earlierFiles(fileIds: readonly string[]): Promise<ReadonlyMap<string, TurnFile>>;
  /** Project of the conversation; undefined without one. */
  project: TurnProject | undefined;
  deadlines: Deadlines;
  /** Sampling parameters of the request that the connection passes on, by their Chat Completions names; usually empty. */
  parameters: Readonly<Record<string, unknown>>;
  /** W3C `traceparent` for the request of the answer; empty when the turn is not traced. */
  traceparent: string;
}

/** An attached file, as the provider adapter receives it. */
export interface TurnFile {
  fileId: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
  /** Reference that `files.upload` returned; empty when the upstream does not store the file. */
  upstreamRef: string;
  /**
   * Reads the content that `files.upload` prepared for replay, with at most `maxText` characters of text. Of a file with text, the original
   * bytes are returned only when `maxText` is 0.
   */
  prepared(maxText: number): Promise<PreparedFile>;
}

/** The content of a file that is replayed to an upstream without file storage. */
export interface PreparedFile {
  /** Extracted text; empty for images. */
  text: string;
  /** The original bytes of an image or of a PDF that models read natively. Not a `data:` URL, which would be copied at every step. */
  original?: Buffer;
  /** A sentence for the model about what was left out; empty when nothing was. */
  omitted: string;
}

/** The project of a turn's conversation, as the provider adapter receives it. */
export interface TurnProject {
  id: string;
  upstreamRef: string;
  name: string;
  instructions: string;
  memoryPolicy: MemoryPolicy;
  /**
   * Reads its ready files, oldest first, with at most `maxText` characters of text each and without images; for adapters that emulate
   * projects.
   */
  sources(maxText: number): Promise<readonly (PreparedFile & { title: string })[]>;
}

/** A file that an upstream generated in its answer. */
export interface UpstreamArtifact {
  kind: 'image' | 'file' | 'audio';
  name: string;
  /** MIME type as the upstream reports it. */
  mimeType: string;
  /** Reference for `files.fetch`; opaque outside of the adapter. */
  reference: string;
}

/** Receives the events of a turn from its adapter: `accepted` at most once, deltas, then `finished` or `failed` once. */
export interface TurnSink {
  accepted(): void;
  /** Texts that arrived together. */
  deltas(texts: string[]): void;
  /** Reasoning texts; after `accepted`. */
  reasoning(texts: string[]): void;
  /** The upstream generated a file; after `accepted`, before the end. */
  artifact(artifact: UpstreamArtifact): void;
  finished(outcome: UpstreamOutcome): void;
  /** `upstreamState` is set when the upstream stored part of the failed turn. */
  failed(error: GatewayError, upstreamState?: string): void;
}

/** The end of a turn at the upstream. */
export interface UpstreamOutcome {
  finishReason: string;
  upstreamState: string;
  /** Token counts that the upstream reported; unset when it did not. */
  usage?: { tokensIn: number; tokensOut: number };
  /** The model that answered, as the upstream names it; unset when it did not report one. */
  model?: string | undefined;
}

/** Controls a turn that is running at the upstream. */
export interface TurnHandle {
  /** Stops reading from the upstream. */
  pause(): void;
  resume(): void;
  /**
   * Stops the turn early, for example when the client disconnects: aborts the request to a stateless upstream, asks a stateful one to stop.
   * The sink receives `finished` or `failed` in either case, after what arrived until then.
   */
  stop(): void;
}
