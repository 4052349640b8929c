import { type HttpExchange, type Handler } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Conversation } from '../state/conversations.ts';
import { type Project } from '../state/projects.ts';

/** Returns the token of an `Authorization: Bearer` header, or ''. */
export function parseBearerToken({ req }: HttpExchange): string {
  return /^Bearer\s+(\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
}

/** Wraps a handler that needs a session. @throws SandboxError 401 `session_expired` */
export function withSession(handle: (exchange: HttpExchange, account: AccountState) => void | Promise<void>): Handler {
  return (exchange) => {
    const account = exchange.sandbox.sandboxState.accounts.findBySessionToken(parseBearerToken(exchange));
    if (account === undefined) throw new SandboxError(401, 'session_expired', 'sign in again');
    return handle(exchange, account);
  };
}

/**
 * Returns a conversation of this account that can be opened.
 * @throws SandboxError 404 `conversation_not_found`, 410 `conversation_deleted`, 403 `conversation_access_lost`, 404 `project_not_found`
 * when its project was deleted
 */
export function requireOwnConversation({ sandbox }: Pick<HttpExchange, 'sandbox'>, { account }: AccountState, id: string): Conversation {
  const conversation = sandbox.sandboxState.conversations.get(id);
  if (conversation?.account !== account.id) throw new SandboxError(404, 'conversation_not_found', 'there is no such conversation');
  if (conversation.status === 'deleted') throw new SandboxError(410, 'conversation_deleted', 'the conversation was deleted');
  if (conversation.status === 'access_lost') {
    throw new SandboxError(403, 'conversation_access_lost', 'this account can no longer open the conversation');
  }
  if (conversation.project !== undefined) requireOwnProject(sandbox, account.id, conversation.project);
  return conversation;
}

/** Returns a project of this account. @throws SandboxError 404 `project_not_found` */
export function requireOwnProject({ sandboxState }: SandboxContext, account: string, id: string): Project {
  const project = sandboxState.projects.get(id);
  if (project?.account !== account) throw new SandboxError(404, 'project_not_found', 'there is no such project');
  return project;
}
