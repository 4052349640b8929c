import { requireOwnProject } from '../chat/with-session.ts';
import { runWithFaults } from '../faults/operation-faults.ts';
import { toFileView, deleteStoredFile, requireOwnFile } from '../files/files.ts';
import { receiveFile } from '../files/receive-file.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { type AccountState } from '../state/accounts.ts';
import { type FileRecord } from '../state/files.ts';
import { type Project } from '../state/projects.ts';

/**
 * Returns the project of a request for its files.
 * @throws SandboxError 404 `project_not_found`, 403 `upgrade_required` for accounts without project files
 */
function projectWithFiles({ sandbox, params }: HttpExchange, { account }: AccountState): Project {
  const project = requireOwnProject(sandbox, account.id, params.id ?? '');
  if (account.tier === 'free') throw new SandboxError(403, 'upgrade_required', 'this account has to be upgraded for files in projects');
  return project;
}

/** Returns the status of a project file: a pure function of the time, so that a restart loses nothing. */
function sourceStatus({ pacing }: SandboxContext, { at, failing }: FileRecord): 'processing' | 'ready' | 'failed' {
  if (Date.now() < at + pacing.fileProcessingMs) return 'processing';
  return failing ? 'failed' : 'ready';
}

/** `POST /api/projects/:id/files`: the request body is the file. Its content can be used at once, also while it is being processed. */
export async function uploadProjectFile(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { id } = projectWithFiles(exchange, state);
  const file = await receiveFile(exchange, state, id, () => void projectWithFiles(exchange, state));
  if (file !== undefined) sendJson(exchange.res, 201, toFileView(file, 'processing'));
}

/** `GET /api/projects/:id/files`, oldest first. */
export function listProjectFiles(exchange: HttpExchange, state: AccountState): void {
  const { sandbox, res } = exchange;
  const { id } = projectWithFiles(exchange, state);
  const files = sandbox.sandboxState.files.listByProject(state.account.id, id);
  sendJson(res, 200, { files: files.map((file) => toFileView(file, sourceStatus(sandbox, file))) });
}

/** `DELETE /api/projects/:id/files/:file`. */
export async function deleteProjectFile(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { sandbox, res, params } = exchange;
  const project = projectWithFiles(exchange, state);
  const { id } = requireOwnFile(sandbox, state.account.id, params.file ?? '', project.id);
  await runWithFaults(
    exchange,
    state,
    'source_delete',
    () => deleteStoredFile(sandbox, id),
    () => sendNoContent(res),
  );
}
