import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';

/** A private folder of one piece of work. What is in it goes with it. */
export interface ScratchFolder extends AsyncDisposable {
  folder: string;
}

const NAME = /^parley-recordings-(\d+)-[0-9a-f-]{36}$/;

/** No work lasts that long: what is older belongs to a process that is gone, even if another one has its number by now. */
const ABANDONED_MS = 24 * 3_600_000;

/** Folders of this process that are in use: several services may share one process. */
const open = new Set<string>();

/** Where recordings and texts lie while engines work on them, readable by this account alone. */
export class Scratch implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a folder of this process's own below `base`, and removes those of processes that are gone. */
  static async open(base: string, log: Logger): Promise<Scratch> {
    await mkdir(base, { recursive: true, mode: 0o700 });
    await sweep(base, log);
    const name = `parley-recordings-${process.pid}-${randomUUID()}`;
    open.add(name);
    await mkdir(join(base, name), { mode: 0o700 });
    return new Scratch(join(base, name));
  }

  /** A folder for one piece of work. @throws SERVICE_UNAVAILABLE when the disk is full */
  async createFolder(): Promise<ScratchFolder> {
    const folder = join(this.#folder, randomUUID());
    // Systems delete files that were not used for days from temporary folders, also from this one.
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new GatewayError('SERVICE_UNAVAILABLE', 'there is no room to work in', { cause });
    });
    // An engine that is being killed may write a last time.
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

/** A folder with this process's number that it does not know is from another one before it, as in a container that was restarted. */
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
