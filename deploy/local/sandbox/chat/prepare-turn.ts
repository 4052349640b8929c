import { parseArtifactOrders } from '../engine/artifacts/parse-artifact-orders.ts';
import { type FileContent } from '../engine/files/file-content.ts';
import { requireOwnFile } from '../files/files.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Conversation } from '../state/conversations.ts';
import { type FileRecord } from '../state/files.ts';
import { type MessageRequest } from './message-request.ts';
import { requireOwnProject } from './with-session.ts';

/** Maximum number of files of a conversation that a reply can use, and of its project; the newest. */
const IN_SIGHT = 50;

/** The files of a turn, read before its messages are appended. */
export interface PreparedTurn {
  /** Contents of the files of the thread, by id. */
  readonly contents: ReadonlyMap<string, FileContent>;
  /** Files of the project, oldest first, whether or not they are processed. */
  readonly projectFiles: readonly FileContent[];
}

function checkPictures({ account }: AccountState, { messages }: MessageRequest): void {
  if (account.images !== false) return;
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (!parseArtifactOrders(asked).some(({ make }) => make === 'picture')) return;
  throw new SandboxError(503, 'image_generation_unavailable', 'this account cannot have pictures made');
}

function filesOfThread({ sandboxState }: SandboxContext, conversation: Conversation | undefined, from: string | null): FileRecord[] {
  const ids = conversation?.tree.pathTo(from).flatMap(({ files }) => files) ?? [];
  return ids.flatMap((id) => sandboxState.files.get(id) ?? []);
}

/**
 * Checks the references of a turn and reads the files that its reply can use; `conversation` is undefined when the turn creates it. A known
 * turn is not checked again, as its references may have been deleted since.
 * @throws SandboxError 404 `file_not_found`, 404 `project_not_found`, 503 `image_generation_unavailable`
 */
export async function prepareTurn(
  sandbox: SandboxContext,
  state: AccountState,
  request: MessageRequest,
  conversation: Conversation | undefined,
): Promise<PreparedTurn> {
  const account = state.account.id;
  const known = conversation?.turns.get(request.client_turn_id);
  const files = filesOfThread(sandbox, conversation, known === undefined ? request.parent_id : known.promptId);
  const project = conversation === undefined ? request.project_id : conversation.project;
  if (known === undefined) {
    checkPictures(state, request);
    if (project !== undefined) requireOwnProject(sandbox, account, project);
    for (const { attachments = [] } of request.messages) files.push(...attachments.map((id) => requireOwnFile(sandbox, account, id, null)));
  }
  const sources = project === undefined ? [] : sandbox.sandboxState.files.listByProject(account, project).filter(({ failing }) => !failing);
  const [contents, read] = await Promise.all([
    sandbox.contents.readContents(files.slice(-IN_SIGHT)),
    sandbox.contents.readContents(sources.slice(-IN_SIGHT)),
  ]);
  return { contents, projectFiles: [...read.values()] };
}
