import { type UpstreamConnection } from './upstream-connection.ts';
import { type PreparedFile } from './upstream-turn.ts';

/** A file on its way to an upstream; its bytes come once. */
export interface OutgoingFile {
  /** Whose file it is: workspaces take turns where files are read. */
  workspaceId: string;
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
  upload(connection: UpstreamConnection, file: OutgoingFile): Promise<StoredFile>;
  /** Forgets an uploaded file; one that is unknown is no error. */
  remove(connection: UpstreamConnection, upstreamRef: string): Promise<void>;
  /** Gives what an artifact consists of; absent where the upstream makes none. */
  fetch?: (connection: UpstreamConnection, reference: string, signal: AbortSignal) => Promise<IncomingFile>;
}
