import { type IncomingMessage } from 'node:http';
import { newId } from '../chat/conversations.ts';
import { destroyConnection, applyOperationFault, type AppliedFault } from '../faults/operation-faults.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type FileRecord } from '../state/files.ts';

/** Maximum bytes of one file, files of one account, and bytes of all its files. */
const LARGEST_FILE = 25 * 1024 * 1024;
const MOST_FILES = 5_000;
const MOST_BYTES = 4 * 1024 * 1024 * 1024;
const LONGEST_NAME = 255;

function fileName(req: IncomingMessage): string {
  const header = req.headers['x-file-name'];
  try {
    const name = typeof header === 'string' ? decodeURIComponent(header) : '';
    if (name !== '' && name.length <= LONGEST_NAME && !/[\p{Cc}/\\]/u.test(name)) return name;
  } catch {
    // Falls through to the error of an invalid name.
  }
  throw new SandboxError(400, 'invalid_request', 'x-file-name: must be a percent-encoded file name');
}

function mimeType(req: IncomingMessage): string {
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
}

// Reads and drops a rejected body, within limits: a client that is still sending does not read the response.
async function drop(req: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_FILE * 4) return;
  }
}

async function checked({ req, res }: HttpExchange, on: 'uploads' | 'sources', state: AccountState, files: readonly FileRecord[]) {
  const met = await applyOperationFault(on, res, state);
  if (met === undefined) return undefined;
  const used = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length >= MOST_FILES || used >= MOST_BYTES) throw new SandboxError(507, 'storage_full', 'this account keeps too many files');
  return { met, label: { name: fileName(req), mime_type: mimeType(req) } };
}

/**
 * Stores the file in a request body and resolves with its record; undefined when a fault has taken over the response. `project`: null for a
 * file of conversations. `stillWanted` is called after the bytes have arrived, and throws to reject them.
 * @throws SandboxError 400 `invalid_request`, 413 `request_too_large`, 507 `storage_full`
 */
export async function receiveFile(
  exchange: HttpExchange,
  state: AccountState,
  project: string | null,
  stillWanted: () => void,
): Promise<FileRecord | undefined> {
  const { sandbox, req, res } = exchange;
  const { sandboxState, store } = sandbox;
  const account = state.account.id;
  const id = newId('sf');
  try {
    const admitted = await checked(exchange, project === null ? 'uploads' : 'sources', state, sandboxState.files.listByAccount(account));
    if (admitted === undefined) return undefined;
    // A separate iterator: ending the iteration of a request would destroy it, and with it the connection for the error response.
    const size = await store.put(id, req.iterator({ destroyOnReturn: false }), LARGEST_FILE);
    await discardUnless(stillWanted, () => store.remove(id));
    const failing = admitted.met.fault === 'source_failed';
    const file: FileRecord = { id, account, project, ...admitted.label, size, failing, at: Date.now() };
    sandboxState.record({ type: 'file', ...file });
    return unheard(admitted.met, () => destroyConnection(res)) ? undefined : file;
  } catch (error) {
    if (error instanceof SandboxError && !req.complete) await drop(req);
    throw error;
  }
}

async function discardUnless(wanted: () => void, discard: () => Promise<void>): Promise<void> {
  try {
    wanted();
  } catch (error) {
    await discard();
    throw error;
  }
}

function unheard({ fault }: AppliedFault, hang: () => void): boolean {
  if (fault !== 'lost_answer') return false;
  hang();
  return true;
}
