import { type MemoryPolicy, type MemoryPolicyStatus } from '../domain/memory-policy.ts';
import { type OutgoingFile, type StoredFile } from './file-operations.ts';
import { type UpstreamConnection } from './upstream-connection.ts';

/** A project as its upstream returns it. */
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
  create(connection: UpstreamConnection, wish: { name: string; instructions: string; memoryPolicy: MemoryPolicy }): Promise<ProjectFacts>;
  update(connection: UpstreamConnection, upstreamRef: string, change: { name?: string; instructions?: string }): Promise<void>;
  /** One that is gone already is no error. */
  remove(connection: UpstreamConnection, upstreamRef: string): Promise<void>;
  /** Asks for one that was made elsewhere. Throws PROJECT_NOT_FOUND. */
  get(connection: UpstreamConnection, upstreamRef: string): Promise<ProjectFacts>;
  addFile(connection: UpstreamConnection, projectRef: string, file: OutgoingFile): Promise<StoredFile & { status: SourceStatus }>;
  /** One that is gone already is no error. */
  removeFile(connection: UpstreamConnection, projectRef: string, fileRef: string): Promise<void>;
  /** Asks how far it is with its files, by their references. */
  fileStatuses(connection: UpstreamConnection, projectRef: string): Promise<ReadonlyMap<string, SourceStatus>>;
}
