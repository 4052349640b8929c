import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type UploadFileHead } from '@parley/protos/routing/v1/project';
import { type Account } from '../accounts/account.ts';
import { requireContinuity } from '../domain/failure.ts';
import { type HandlerDeps } from '../handlers/deps.ts';
import { requireProjectAccount } from '../projects/project-account.ts';
import { requireStored } from '../projects/project-record.ts';
import { type OutgoingFile, type StoredFile } from '../providers/file-operations.ts';
import { type SourceStatus } from '../providers/project-operations.ts';
import { type ProviderAccount } from '../providers/provider-account.ts';
import { findLiveProject } from '../turn/project-route.ts';
import { requireAdmission } from '../turn/require-admission.ts';
import { openConversation } from '../turn/route.ts';

/** Where a file goes: the account of a conversation, or a project of an account. */
export interface FilePlace {
  account: Account;
  conversationId: string | null;
  projectId: string | null;
  /** Throws what the upstream's answer means. */
  add(upstream: ProviderAccount, file: OutgoingFile): Promise<StoredFile & { status: SourceStatus }>;
  /** Takes back what was added; what is gone is no error. */
  remove(upstream: ProviderAccount, upstreamRef: string): Promise<void>;
}

/** Finds where a file goes. Throws what keeps the caller out, or the account from taking it; UNSUPPORTED_FILE_TYPE where it takes no files. */
export function requirePlace(deps: HandlerDeps, { conversationId, projectId }: UploadFileHead, call: Call): Promise<FilePlace> {
  return projectId ? inProject(deps, projectId, call) : inConversation(deps, conversationId, call);
}

async function inConversation(deps: HandlerDeps, conversationId: string, call: Call): Promise<FilePlace> {
  const { workspaceId } = call.caller;
  const binding = await openConversation(deps, conversationId, call);
  requireContinuity(binding.continuityStatus);
  if (binding.upstreamProjectId && !(await findLiveProject(deps, workspaceId, binding.upstreamProjectId)))
    requireContinuity('project_unavailable');
  const account = (await deps.accounts.of(workspaceId)).find(({ id }) => id === binding.upstreamAccountId);
  if (!account?.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of this conversation is not active');
  const { files } = account.provider;
  if (!files) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this conversation takes no files', { param: 'file' });
  requireAdmission(deps, account, binding, call);
  return {
    account,
    conversationId: binding.conversationId,
    projectId: null,
    add: async (upstream, file) => ({ ...(await files.upload(upstream, file)), status: 'ready' }),
    remove: (upstream, upstreamRef) => files.remove(upstream, upstreamRef),
  };
}

async function inProject(deps: HandlerDeps, id: string, call: Call): Promise<FilePlace> {
  const project = await requireStored(deps, id, call);
  const account = await requireProjectAccount(deps, project);
  const { projects } = account.provider;
  if (!projects) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the account of this project takes no files', { param: 'file' });
  return {
    account,
    conversationId: null,
    projectId: project.id,
    add: (upstream, file) => projects.addFile(upstream, project.upstreamRef, file),
    remove: (upstream, upstreamRef) => projects.removeFile(upstream, project.upstreamRef, upstreamRef),
  };
}
