import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A private temporary folder of one task; disposing of it deletes its contents. */
export interface ScratchFolder extends AsyncDisposable {
  folder: string;
}

const NAME = /^parley-recordings-(\d+)-[0-9a-f-]{36}$/;

/**
 * Age after which a folder is deleted, in milliseconds. No task takes that long: an older folder belongs to an ended process, even if its
 * id is in use again.
 */
const ABANDONED_MS = 24 * 3_600_000;

/** Folders of this process that are in use: several services may share one process. */
const open = new Set<string>();

/** Temporary folders for recordings and texts while engines process them, readable by this account only. */
export class ScratchSpace implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a folder of this process below `base`, and deletes those of processes that have ended. */
  static async open(base: string, log: Logger): Promise<ScratchSpace> {
    await mkdir(base, { recursive: true, mode: 0o700 });
    await sweep(base, log);
    const name = `parley-recordings-${process.pid}-${randomUUID()}`;
    open.add(name);
    await mkdir(join(base, name), { mode: 0o700 });
    return new ScratchSpace(join(base, name));
  }

  /** Creates a folder for one task. @throws SERVICE_UNAVAILABLE when the disk is full */
  async createFolder(): Promise<ScratchFolder> {
    const folder = join(this.#folder, randomUUID());
    // Operating systems delete unused files from temporary folders after days, so the parent may be missing.
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'there is no room to work in', { cause });
    });
    // Retries, as an engine that is being killed may still write.
    return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    open.delete(this.#folder.slice(this.#folder.lastIndexOf('parley-recordings-')));
  }
}

async function sweep(base: string, log: Logger): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || open.has(name)) continue;
    const folder = join(base, name);
    if (isAlive(Number(pid)) && !(await isOld(folder))) continue;
    await rm(folder, { recursive: true, force: true });
    log.warn('what a process that ended was working on was removed');
  }
}

/**
 * Whether the process of a folder is running. A folder with this process's id that it did not create is from an earlier process, as in a
 * restarted container.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isOld(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}
