import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf } from '../measure/processes.ts';
import { pinned } from './pinning.ts';

const TAIL_BYTES = 4_000;

/** What to run, and where. */
export interface ChildOptions {
  core: number | undefined;
  env?: Record<string, string>;
  cwd?: string;
  /** Opens a message channel to the child. */
  ipc?: boolean;
}

const alive = new Set<Child>();

/** A process that the bench has started and will stop. */
export class Child {
  readonly process: ChildProcess;
  readonly pid: number;
  #tail = '';

  private constructor(child: ChildProcess, pid: number) {
    this.process = child;
    this.pid = pid;
    alive.add(this);
    child.once('exit', () => alive.delete(this));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#tail = (this.#tail + text).slice(-TAIL_BYTES)));
    }
  }

  /** Starts a command on its core; throws when it cannot be started. */
  static async start(command: string, args: readonly string[], options: ChildOptions): Promise<Child> {
    const [file, argv] = pinned(options.core, command, args);
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'pipe', 'pipe'];
    if (options.ipc) stdio.push('ipc');
    const child = spawn(file, argv, { stdio, cwd: options.cwd, env: { ...cleanEnvironment(), ...options.env } });
    await once(child, 'spawn');
    if (child.pid === undefined) throw new Error(`${command} has no process id`);
    return new Child(child, child.pid);
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** The last lines it printed, for the reason why it did not start. */
  get lastWords(): string {
    return this.#tail.trim().split('\n').slice(-3).join(' | ');
  }

  /** SIGTERM, then after `graceMs` SIGKILL for it and for every process it started. */
  async stop(graceMs = 10_000): Promise<void> {
    if (!this.running) return;
    const family = descendantsOf([this.pid]);
    const gone = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await Promise.race([gone, delay(graceMs, undefined, { ref: false })]);
    if (!this.running) return;
    for (const pid of family) killQuietly(pid);
    await gone;
  }
}

/** Stops every process that was started and still runs, for an unplanned end. */
export async function stopEveryChild(graceMs: number): Promise<void> {
  await Promise.allSettled([...alive].map((child) => child.stop(graceMs)));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has gone by itself in the meantime.
  }
}

/** Our environment without what would change a peer: proxies, Node's options, and what `npm run` adds. */
export function cleanEnvironment(): Record<string, string> {
  const dropped =
    /^(https?_proxy|all_proxy|no_proxy|node_options|node_env|port|init_cwd|npm_(package|lifecycle)_.*|npm_config_(local_prefix|workspaces?)|parley_.*|database_url|nats_url)$/i;
  const kept = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !dropped.test(entry[0]));
  return Object.fromEntries(kept);
}
