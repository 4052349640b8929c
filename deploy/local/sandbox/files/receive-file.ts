import { type IncomingMessage } from 'node:http';
import { newId } from '../chat/conversations.ts';
import { hangUp, meetOperationFault, type Met } from '../faults/operations.ts';
import { type Exchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type FileRecord } from '../state/files.ts';

/** Bytes of one file, files of one account, and bytes of them all. */
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
    // Falls through to the one answer for a name that is none.
  }
  throw new SandboxError(400, 'invalid_request', 'x-file-name: must be a percent-encoded file name');
}

function mimeType(req: IncomingMessage): string {
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
}

// A client that is still sending does not read an answer, so what will not be kept is read and dropped; within reason.
async function drop(req: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_FILE * 4) return;
  }
}

async function checked({ req, res }: Exchange, on: 'uploads' | 'sources', state: AccountState, files: readonly FileRecord[]) {
  const met = await meetOperationFault(on, res, state);
  if (met === undefined) return undefined;
  const used = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length >= MOST_FILES || used >= MOST_BYTES) throw new SandboxError(507, 'storage_full', 'this account keeps too many files');
  return { met, label: { name: fileName(req), mime_type: mimeType(req) } };
}

/**
 * Keeps the file that a request consists of, and answers what is known of it; undefined where a fault has the response.
 * `project`: null for a file of conversations. `stillWanted` is asked once the bytes are here, which may take its time.
 * @throws SandboxError 400 `invalid_request`, 413 `request_too_large`, 507 `storage_full`
 */
export async function receiveFile(
  exchange: Exchange,
  state: AccountState,
  project: string | null,
  stillWanted: () => void,
): Promise<FileRecord | undefined> {
  const { sandbox, req, res } = exchange;
  const { sandboxState, store } = sandbox;
  const account = state.account.id;
  const id = newId('sf');
  try {
    const admitted = await checked(exchange, project === null ? 'uploads' : 'sources', state, sandboxState.files.of(account));
    if (admitted === undefined) return undefined;
    // A generator of its own: a request that is iterated to a break is destroyed, and with it the connection the error goes out on.
    const size = await store.put(id, req.iterator({ destroyOnReturn: false }), LARGEST_FILE);
    await discardUnless(stillWanted, () => store.remove(id));
    const failing = admitted.met.fault === 'source_failed';
    const file: FileRecord = { id, account, project, ...admitted.label, size, failing, at: Date.now() };
    sandboxState.record({ type: 'file', ...file });
    return unheard(admitted.met, () => hangUp(res)) ? undefined : file;
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

function unheard({ fault }: Met, hang: () => void): boolean {
  if (fault !== 'lost_answer') return false;
  hang();
  return true;
}
