import { type ChildProcess, spawn } from 'node:child_process';
import { ROOT, START_SCRIPT } from './paths.ts';

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** `npm start` as a process, whatever becomes of it. */
export interface StartProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** What it has written to the terminal so far. */
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
}

const SCRIPT: readonly [string, ...string[]] = [process.execPath, START_SCRIPT];

/** Runs the start script, or what leads to it, with nothing of our own Parley settings in its environment. */
export function runStart(env: Record<string, string>, [command, ...args] = SCRIPT): StartProcess {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = gather(child.stdout);
  const stderr = gather(child.stderr);
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { pid: child.pid ?? 0, exited, stdout, stderr, signal: (name) => void child.kill(name) };
}

/** Settings of the machine stay (PATH, proxies); what would configure a Parley, a database or Node goes. */
export function plainEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(PARLEY_|THROTTLE_|OTEL_|JEST_|DATABASE_URL$|NATS_URL$|NODE_OPTIONS$|NODE_ENV$)/.test(name),
  );
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function gather(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}
