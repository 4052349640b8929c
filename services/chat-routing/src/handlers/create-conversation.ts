import { isUuid, uuidv7 } from '@parley/kit/ids/uuid';
import { type Call, onBehalfOf } from '@parley/kit/rpc/call';
import { type Conversation } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type CreateConversationRequest } from '@parley/protos/routing/v1/routing';
import { type Account } from '../accounts/account.ts';
import { eligibleAccounts, modelOn, placeWithoutTurn } from '../turn/choose-account.ts';
import { requireProject } from '../turn/project-route.ts';
import { recordError } from '../turn/record-error.ts';
import { type HandlerDeps } from './deps.ts';

const ACCOUNT_PARAM = 'upstream_account_id';
const PROJECT_PARAM = 'upstream_project_id';
const RECORD_MS = 5_000;
/** Thousands of messages may come at once. */
const IMPORT_MS = 25_000;

/**
 * RPC CreateConversation: a conversation on the account that is named, or on the best one, for its first turn to begin upstream (spec §4.3).
 * With `imported` it begins with those messages. Throws TENANT_ACCESS_DENIED, CONNECTION_NOT_FOUND, what selecting an account or a project
 * explicitly throws in a turn, and INVALID_REQUEST for an unknown model.
 */
export async function createConversation(deps: HandlerDeps, request: CreateConversationRequest, call: Call): Promise<Conversation> {
  const { workspaceId } = call.caller;
  const accounts = await deps.accounts.of(workspaceId);
  const named = request.upstreamAccountId ? await requireOwn(deps, accounts, request.upstreamAccountId) : undefined;
  const projectId = request.upstreamProjectId;
  const project = projectId ? await requireProject(deps, workspaceId, projectId, PROJECT_PARAM) : undefined;
  if (accounts.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const model = request.model || 'auto';
  const account = placeWithoutTurn(eligibleAccounts(accounts, { named, param: ACCOUNT_PARAM, project, model }));
  const conversation = {
    conversationId: uuidv7(),
    title: request.title,
    upstreamAccountId: account.id,
    upstreamProjectId: project?.id ?? '',
    model: modelOn(account, model),
  };
  const recorded =
    request.imported.length > 0
      ? deps.conversation.importConversation({ conversation, messages: request.imported }, onBehalfOf(call, IMPORT_MS))
      : deps.conversation.createConversation(conversation, onBehalfOf(call, RECORD_MS));
  return recorded.catch((error: unknown) => {
    throw call.abandoned ?? recordError(error);
  });
}

/** The workspace's account with this id; one of another workspace is refused otherwise than one that nobody has. */
async function requireOwn({ connections }: HandlerDeps, accounts: readonly Account[], id: string): Promise<Account> {
  const account = accounts.find((candidate) => candidate.id === id);
  if (account) return account;
  if (isUuid(id) && (await connections.exists(id)))
    throw new GatewayError('TENANT_ACCESS_DENIED', 'the account belongs to another workspace', { param: ACCOUNT_PARAM });
  throw new GatewayError('CONNECTION_NOT_FOUND', 'no account has this id', { param: ACCOUNT_PARAM });
}
