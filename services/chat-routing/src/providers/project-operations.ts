import { type MemoryPolicy, type MemoryPolicyStatus } from '../domain/memory-policy.ts';
import { type OutgoingFile, type StoredFile } from './file-operations.ts';
import { type UpstreamConnection } from './upstream-connection.ts';

/** A project as its upstream returns it. */
export interface UpstreamProjectDetails {
  upstreamRef: string;
  name: string;
  instructions: string;
  /** The policy in effect, as the upstream reports it. */
  memoryPolicy: MemoryPolicy;
  memoryPolicyStatus: Exclude<MemoryPolicyStatus, 'unavailable'>;
}

/** Processing status of a project's file at the upstream. */
export type SourceStatus = 'processing' | 'ready' | 'failed';

/** Project operations of a provider adapter; absent when it neither has nor emulates projects. All throw coded errors. */
export interface ProjectOperations {
  /** Memory policies that a new project can have in effect. */
  memoryPolicies: readonly MemoryPolicy[];
  create(
    connection: UpstreamConnection,
    wish: { name: string; instructions: string; memoryPolicy: MemoryPolicy },
  ): Promise<UpstreamProjectDetails>;
  update(connection: UpstreamConnection, upstreamRef: string, change: { name?: string; instructions?: string }): Promise<void>;
  /** Deletes a project; one that no longer exists is not an error. */
  remove(connection: UpstreamConnection, upstreamRef: string): Promise<void>;
  /** Returns a project that was created elsewhere. Throws PROJECT_NOT_FOUND. */
  get(connection: UpstreamConnection, upstreamRef: string): Promise<UpstreamProjectDetails>;
  addFile(connection: UpstreamConnection, projectRef: string, file: OutgoingFile): Promise<StoredFile & { status: SourceStatus }>;
  /** Deletes a file of a project; one that no longer exists is not an error. */
  removeFile(connection: UpstreamConnection, projectRef: string, fileRef: string): Promise<void>;
  /** Returns the statuses of a project's files by upstream reference. */
  listFileStatuses(connection: UpstreamConnection, projectRef: string): Promise<ReadonlyMap<string, SourceStatus>>;
}
