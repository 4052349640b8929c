import { type ProviderAccount } from './provider-account.ts';
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
  upload(account: ProviderAccount, file: OutgoingFile): Promise<StoredFile>;
  /** Forgets an uploaded file; one that is unknown is no error. */
  remove(account: ProviderAccount, upstreamRef: string): Promise<void>;
  /** Gives what an artifact consists of; absent where the upstream makes none. */
  fetch?: (account: ProviderAccount, reference: string, signal: AbortSignal) => Promise<IncomingFile>;
}
