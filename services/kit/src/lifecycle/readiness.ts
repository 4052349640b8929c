/** The result of one check. */
export interface CheckResult {
  ok: boolean;
  /** How long the check took, in milliseconds. */
  ms: number;
  /** Why the check failed, or the detail it returned, as a short text without secrets. */
  detail?: string;
}

/** The result of all checks, as `/readyz` returns it. */
export interface ReadinessReport {
  /** False while draining and when a required check fails. */
  ready: boolean;
  checks: Record<string, CheckResult>;
}

/** A check: resolves when it passes, with an optional detail; throws when it fails. */
export type ReadinessCheck = (signal: AbortSignal) => Promise<string | undefined | void>;

/** Options of a check. */
export interface CheckOptions {
  /** Whether a failure makes the process not ready; otherwise the failure is only reported. @default true */
  required?: boolean;
  /** Timeout of the check, in milliseconds. @default 1000 */
  deadlineMs?: number;
  /** How long its result is cached, in milliseconds. @default 1000 */
  cacheMs?: number;
}

interface Entry extends Required<CheckOptions> {
  check: ReadinessCheck;
  at: number;
  latest: Promise<CheckResult> | undefined;
}

/** Named checks behind `/readyz`; results are cached, so that many probes cost no more than one. */
export class Readiness {
  readonly #entries = new Map<string, Entry>();
  #draining = false;

  /** Adds a check. The returned function removes it. */
  add(name: string, check: ReadinessCheck, options: CheckOptions = {}): () => void {
    this.#entries.set(name, { required: true, deadlineMs: 1_000, cacheMs: 1_000, ...options, check, at: 0, latest: undefined });
    return () => this.#entries.delete(name);
  }

  /** Makes the process not ready from now on, whatever the checks report. */
  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Runs the checks whose cached results expired, in parallel. Never throws. */
  async report(): Promise<ReadinessReport> {
    const names = [...this.#entries.keys()];
    const results = await Promise.all([...this.#entries.values()].map(recent));
    const required = [...this.#entries.values()].every((entry, index) => !entry.required || results[index]?.ok !== false);
    const checks = Object.fromEntries(names.map((name, index) => [name, results[index] ?? { ok: false, ms: 0 }]));
    return { ready: required && !this.#draining, checks };
  }
}

/** Returns the cached result of a check, or runs it; joins a run in progress. */
function recent(entry: Entry): Promise<CheckResult> {
  const now = performance.now();
  if (!entry.latest || now - entry.at > entry.cacheMs) {
    entry.at = Number.POSITIVE_INFINITY;
    entry.latest = run(entry).finally(() => (entry.at = performance.now()));
  }
  return entry.latest;
}

async function run({ check, deadlineMs }: Entry): Promise<CheckResult> {
  const started = performance.now();
  const signal = AbortSignal.timeout(deadlineMs);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${deadlineMs} ms`))),
  );
  // When a check throws at once nothing awaits this promise, and an unhandled rejection would end the process.
  late.catch(() => undefined);
  const elapsed = () => Math.round(performance.now() - started);
  try {
    const detail = await Promise.race([check(signal), late]);
    return { ok: true, ms: elapsed(), ...(detail ? { detail } : {}) };
  } catch (error) {
    return { ok: false, ms: elapsed(), detail: error instanceof Error ? error.message : 'failed' };
  }
}
