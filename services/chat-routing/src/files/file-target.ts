import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type UploadFileHead } from '@parley/protos/routing/v1/project';
import { type Account } from '../accounts/account.ts';
import { type Accounts } from '../accounts/accounts.ts';
import { type ContinuityDeps } from '../conversation/note-continuity.ts';
import { openConversation } from '../conversation/open-conversation.ts';
import { requireAdmission } from '../conversation/require-admission.ts';
import { requireContinuity } from '../domain/failure.ts';
import { findLiveProject } from '../projects/find-project.ts';
import { requireProjectAccount } from '../projects/project-account.ts';
import { requireStored } from '../projects/project-record.ts';
import { type OutgoingFile, type StoredFile } from '../providers/file-operations.ts';
import { type SourceStatus } from '../providers/project-operations.ts';
import { type ProviderAccount } from '../providers/provider-account.ts';
import { type ProjectStore } from '../store/projects.ts';
import { type RoutingRuleStore } from '../store/routing-rules.ts';

/** Dependencies of `requireFileTarget`. */
export interface FileTargetDeps extends ContinuityDeps {
  accounts: Accounts;
  rules: RoutingRuleStore;
  projects: ProjectStore;
}

/** Where a file goes: the connection of a conversation, or a project of a connection. */
export interface FileTarget {
  account: Account;
  conversationId: string | null;
  projectId: string | null;
  /** Throws what the upstream's answer means. */
  add(upstream: ProviderAccount, file: OutgoingFile): Promise<StoredFile & { status: SourceStatus }>;
  /** Removes what was added; what is gone is no error. */
  remove(upstream: ProviderAccount, upstreamRef: string): Promise<void>;
}

/** Where a file goes. Throws the refusals of the conversation, the project or the connection; UNSUPPORTED_FILE_TYPE where it takes no files. */
export function requireFileTarget(deps: FileTargetDeps, { conversationId, projectId }: UploadFileHead, call: Call): Promise<FileTarget> {
  return projectId ? toProjectTarget(deps, projectId, call) : toConversationTarget(deps, conversationId, call);
}

async function toConversationTarget(deps: FileTargetDeps, conversationId: string, call: Call): Promise<FileTarget> {
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

async function toProjectTarget(deps: FileTargetDeps, id: string, call: Call): Promise<FileTarget> {
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
