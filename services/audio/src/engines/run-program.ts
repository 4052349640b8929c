import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** A program to run, with its input and limits. */
export interface ProgramRun {
  /** An absolute path. */
  program: string;
  args: readonly string[];
  /** Its whole environment; it does not inherit that of this process, which contains secrets. @default empty */
  env?: Record<string, string>;
  /** Text for its standard input. @default empty */
  input?: string;
  /** Maximum size of its output; the process is killed when it prints more. */
  maxBytes: number;
  /** Timeout in milliseconds. @default none, other than the signal */
  timeoutMs?: number;
}

/**
 * Runs a program with lower priority than this process, and resolves with its output. Kills the process when the signal aborts.
 * @throws an Error when it cannot be started, exits with another code than 0, or exceeds a limit; the signal's reason, after the process
 * has ended
 */
export function runProgram({ program, args, env = {}, input, maxBytes, timeoutMs }: ProgramRun, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    // Ignores stderr: it may contain the input.
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let size = 0;
    const kill = (): void => void child.kill('SIGKILL');
    const timer = timeoutMs === undefined ? undefined : setTimeout(kill, timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    child.once('spawn', () => yieldCpu(child.pid));
    // For a program that ends before it has read its input, the exit code decides.
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
    // The process has ended already.
  }
}
