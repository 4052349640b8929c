import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type SandboxContext } from '../sandbox-context.ts';
import { type AccountState } from '../state/accounts.ts';
import { type FileRecord } from '../state/files.ts';
import { receiveFile } from './receive-file.ts';

/** Converts a file to the form of the web API. */
export function toFileView({ id, name, mime_type, size }: FileRecord, status: string): Record<string, unknown> {
  return { id, name, mime_type, size, status };
}

/** Returns a file of this account in this project (null: for conversations). @throws SandboxError 404 `file_not_found` */
export function requireOwnFile({ sandboxState }: SandboxContext, account: string, id: string, project: string | null): FileRecord {
  const file = sandboxState.files.get(id);
  if (file?.account !== account || file.project !== project) throw new SandboxError(404, 'file_not_found', 'there is no such file');
  return file;
}

/** Deletes the record of a file, then its bytes. */
export async function deleteStoredFile({ sandboxState, store, contents }: SandboxContext, id: string): Promise<void> {
  sandboxState.record({ type: 'file_removed', file: id });
  contents.forget(id);
  await store.remove(id);
}

/** `POST /api/files`: the request body is the file. */
export async function uploadFile(exchange: HttpExchange, state: AccountState): Promise<void> {
  const file = await receiveFile(exchange, state, null, () => undefined);
  if (file !== undefined) sendJson(exchange.res, 201, toFileView(file, 'ready'));
}

/** `DELETE /api/files/:id`. */
export async function deleteFile({ sandbox, res, params }: HttpExchange, { account }: AccountState): Promise<void> {
  const { id } = requireOwnFile(sandbox, account.id, params.id ?? '', null);
  await deleteStoredFile(sandbox, id);
  sendNoContent(res);
}
