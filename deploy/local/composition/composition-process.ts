import { type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type NodeProcessHandle, superviseNodeProcess } from '../supervisor/supervise-node-process.ts';
import { type SupervisedProcess } from '../supervisor/supervise.ts';
import { type CompositionContext } from './composition-context.ts';

/** A Node process of the composition. */
export interface CompositionProcess {
  name: string;
  /** Path of the compiled entry, relative to this file in `dist`. */
  entry: string;
  env: Record<string, string>;
  /** Resolves when the process is ready. */
  waitUntilReady: (child: ChildProcess) => Promise<void>;
  /** Time for a drain, in milliseconds. @default 15_000 */
  stopTimeoutMs?: number;
}

/**
 * V8 options of the processes. The young generation has a fixed size with space for many short-lived objects of turns, an idle process does
 * not shrink its heap, and no object is allocated in the old generation because an earlier one survived: it would then keep everything it
 * references (ADR 0014). V8 has one thread for collections instead of four: on the core of an event loop each of them delays it by a time
 * slice of the scheduler (ADR 0047). The event loop collects the young generation alone: distributing so little work costs more than the
 * work.
 */
export const V8_OPTIONS: readonly string[] = [
  '--no-memory-reducer',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
  '--no-parallel-scavenge',
];

/** Starts a Node process and keeps it running; writes its log to the log file, and warnings to the terminal as well. */
export function startCompositionProcess(
  composition: CompositionContext,
  part: CompositionProcess,
): Promise<SupervisedProcess<NodeProcessHandle<void>>> {
  return superviseNodeProcess({
    name: part.name,
    args: [...V8_OPTIONS, ...imports(composition), fileURLToPath(new URL(part.entry, import.meta.url))],
    env: { ...inherited(composition), ...part.env },
    log: composition.log,
    waitUntilReady: part.waitUntilReady,
    stopTimeoutMs: part.stopTimeoutMs ?? 15_000,
    onLine: (line, stream) => composition.output.writeLine(part.name, line, stream),
  });
}

/** Returns the option that loads a module in every process, for measurements. */
function imports({ settings }: CompositionContext): string[] {
  const module = settings.env['PARLEY_NODE_IMPORT'];
  return module === undefined ? [] : ['--import', module];
}

/**
 * Returns the inherited environment: PARLEY_ variables, which the services read themselves, and those of Node, TLS, traces and S3. Services
 * migrate when they start.
 */
function inherited({ settings }: CompositionContext): NodeJS.ProcessEnv {
  const wanted = Object.entries(settings.env).filter(([name]) =>
    /^(PARLEY_|THROTTLE_|AWS_|OTEL_|NODE_EXTRA_CA_CERTS$|PATH$|TZ$|LANG$)/.test(name),
  );
  return { ...Object.fromEntries(wanted), PARLEY_LOG_LEVEL: settings.logLevel, PARLEY_MIGRATE: 'start' };
}
