import { type MemoryPolicy, type MemoryPolicyStatus } from '../domain/memory-policy.ts';
import { type OutgoingFile, type StoredFile } from './file-operations.ts';
import { type ProviderAccount } from './provider-account.ts';

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
