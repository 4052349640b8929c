import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** A program of the machine, and what it is given. */
export interface Program {
  /** An absolute path. */
  program: string;
  args: readonly string[];
  /** All of its environment: the secrets of this process are nothing to it. @default nothing */
  env?: Record<string, string>;
  /** What it reads from its standard input; it has none otherwise. */
  input?: string;
  /** What it may print; one that prints more is ended. */
  maxBytes: number;
  /** How long it may take, in milliseconds. @default as long as the signal lets it */
  timeoutMs?: number;
}

/**
 * Runs a program as a process of its own, below the priority of calls, and gives what it prints. When the signal aborts the process ends at once.
 * @throws an Error when it cannot be started, ends badly, prints or takes too much; the signal's reason, once the process is gone
 */
export function runProgram({ program, args, env = {}, input, maxBytes, timeoutMs }: Program, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    // What it complains of may hold what it was given.
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let size = 0;
    const kill = (): void => void child.kill('SIGKILL');
    const timer = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    child.once('spawn', () => yieldCpu(child.pid));
    // One that ends before it has read everything says so by how it ends.
    child.stdin.on('error', () => undefined).end(input);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) kill();
      else chunks.push(chunk);
    });
    const end = (cause?: Error): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason as Error);
      else if (cause) reject(cause);
      else resolve(Buffer.concat(chunks));
    };
    child.once('error', end);
    child.once('close', (code, how) => end(code === 0 ? undefined : new Error(`it ended with ${code ?? how}`)));
  });
}

function yieldCpu(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}
