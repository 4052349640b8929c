import { type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ProcessHandle, superviseProcess } from '../supervisor/supervise-process.ts';
import { type Supervised } from '../supervisor/supervise.ts';
import { type Composition } from './composition.ts';

/** A Node process of the composition. */
export interface NodePart {
  name: string;
  /** Compiled entry, relative to this file's place in `dist`. */
  entry: string;
  env: Record<string, string>;
  /** Resolves when the process does its work. */
  ready: (child: ChildProcess) => Promise<void>;
  /** Time for a drain. @default 15_000 */
  stopTimeoutMs?: number;
}

/**
 * An idle process stays warm. Objects of a turn live for milliseconds, so there is room for many of them before a collection, from the
 * start and always the same, and none is made old at birth because it once survived one: it would then keep all it points to (ADR 0014).
 * V8 has one thread for collections, not four: on the core of an event loop each one delays it by a slice of the scheduler (ADR 0047). The event
 * loop collects the young generation alone: to share so little work costs more than the work.
 */
export const NODE_OPTIONS: readonly string[] = [
  '--no-memory-reducer',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
  '--no-parallel-scavenge',
];

/** Starts a Node process and keeps it running; what it logs goes to the log file, and warnings to the terminal as well. */
export function startNodePart(composition: Composition, part: NodePart): Promise<Supervised<ProcessHandle<void>>> {
  return superviseProcess({
    name: part.name,
    args: [...NODE_OPTIONS, ...imports(composition), fileURLToPath(new URL(part.entry, import.meta.url))],
    env: { ...inherited(composition), ...part.env },
    log: composition.log,
    ready: part.ready,
    stopTimeoutMs: part.stopTimeoutMs ?? 15_000,
    onLine: (line, stream) => composition.output.line(part.name, line, stream),
  });
}

/** What a measurement wants to have loaded in every process. */
function imports({ settings }: Composition): string[] {
  const module = settings.env['PARLEY_NODE_IMPORT'];
  return module === undefined ? [] : ['--import', module];
}

/** The services read their own PARLEY_ variables, and migrate when they start; nothing else of our environment is theirs, but what Node, TLS, traces and an S3 bucket need. */
function inherited({ settings }: Composition): NodeJS.ProcessEnv {
  const wanted = Object.entries(settings.env).filter(([name]) =>
    /^(PARLEY_|THROTTLE_|AWS_|OTEL_|NODE_EXTRA_CA_CERTS$|PATH$|TZ$|LANG$)/.test(name),
  );
  return { ...Object.fromEntries(wanted), PARLEY_LOG_LEVEL: settings.logLevel, PARLEY_MIGRATE: 'start' };
}
