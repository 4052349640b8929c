/** When a runner, or a turn without one, counts as gone. All of it by the database's clock. */
export interface Liveness {
  /** Silence after which a runner is gone, in milliseconds. */
  runnerTimeoutMs: number;
  /** Age after which a turn whose runner never said anything is abandoned, in milliseconds. */
  strayMs: number;
}

/** SQL that is true for a turn `t` that nobody runs; needs `turn_runners r` joined from the outside and two parameters in milliseconds. */
export function abandoned(runnerTimeout: string, stray: string): string {
  return `CASE WHEN r.runner_id IS NULL THEN t.started_at < now() - ${interval(stray)} ELSE r.last_seen < now() - ${interval(runnerTimeout)} END`;
}

/** SQL of an interval from a parameter in milliseconds. */
export function interval(parameter: string): string {
  return `make_interval(secs => ${parameter}::float8 / 1000)`;
}
