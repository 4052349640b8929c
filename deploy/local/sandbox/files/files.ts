import { sendJson, sendNothing } from '../http/respond.ts';
import { type Exchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type Sandbox } from '../sandbox.ts';
import { type AccountState } from '../state/accounts.ts';
import { type FileRecord } from '../state/files.ts';
import { receiveFile } from './receive-file.ts';

/** Converts a file to the form of the web API. */
export function fileView({ id, name, mime_type, size }: FileRecord, status: string): Record<string, unknown> {
  return { id, name, mime_type, size, status };
}

/** Returns a file of this account in this project (null: for conversations). @throws SandboxError 404 `file_not_found` */
export function ownFile({ sandboxState }: Sandbox, account: string, id: string, project: string | null): FileRecord {
  const file = sandboxState.files.get(id);
  if (file?.account !== account || file.project !== project) throw new SandboxError(404, 'file_not_found', 'there is no such file');
  return file;
}

/** Deletes the record of a file, then its bytes. */
export async function forgetFile({ sandboxState, store, contents }: Sandbox, id: string): Promise<void> {
  sandboxState.record({ type: 'file_removed', file: id });
  contents.forget(id);
  await store.remove(id);
}

/** `POST /api/files`: the request body is the file. */
export async function uploadFile(exchange: Exchange, state: AccountState): Promise<void> {
  const file = await receiveFile(exchange, state, null, () => undefined);
  if (file !== undefined) sendJson(exchange.res, 201, fileView(file, 'ready'));
}

/** `DELETE /api/files/:id`. */
export async function deleteFile({ sandbox, res, params }: Exchange, { account }: AccountState): Promise<void> {
  const { id } = ownFile(sandbox, account.id, params.id ?? '', null);
  await forgetFile(sandbox, id);
  sendNothing(res);
}
