import { type UpstreamConnection } from './upstream-connection.ts';
import { type PreparedFile } from './upstream-turn.ts';

/** A file to upload to an upstream; its bytes can be read once. */
export interface OutgoingFile {
  /** Workspace of the file; text extraction is scheduled fairly between workspaces. */
  workspaceId: string;
  name: string;
  /** MIME type as detected from the content. */
  mimeType: string;
  size: number;
  bytes: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** Result of an upload: a reference to the file at the upstream, or its prepared content when the upstream keeps no files. */
export interface StoredFile {
  upstreamRef: string;
  prepared?: PreparedFile;
}

/** A download from an upstream. */
export interface DownloadedFile {
  name: string;
  mimeType: string;
  size?: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** File operations of a provider adapter for conversations. All throw coded errors. */
export interface FileOperations {
  upload(connection: UpstreamConnection, file: OutgoingFile): Promise<StoredFile>;
  /** Deletes an uploaded file; an unknown one is not an error. */
  remove(connection: UpstreamConnection, upstreamRef: string): Promise<void>;
  /** Downloads an artifact; absent when the upstream generates none. */
  fetch?: (connection: UpstreamConnection, reference: string, signal: AbortSignal) => Promise<DownloadedFile>;
}
