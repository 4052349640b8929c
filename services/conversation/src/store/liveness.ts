/** When a turn counts as abandoned. All of it by the database's clock. */
export interface Liveness {
  /** Silence after which a runner is gone, in milliseconds. */
  runnerTimeoutMs: number;
  /** Age at which a turn is abandoned whose runner is not known, in milliseconds. */
  unknownRunnerMs: number;
  /** Age at which a turn is abandoned whoever runs it, in milliseconds: far beyond the longest that a runner lets one take. */
  turnLimitMs: number;
}

/** The liveness of the gateway. */
export const LIVENESS: Liveness = { runnerTimeoutMs: 20_000, unknownRunnerMs: 60_000, turnLimitMs: 3_600_000 };

/** SQL that is true for a turn `t` with its runner `r`, if any, that is abandoned. Its parameters are `livenessParameters`, from `$first` on. */
export function isAbandonedSql(first: number): string {
  return `(CASE WHEN r.runner_id IS NULL THEN t.started_at < now() - ${intervalSql(first + 1)} ELSE r.last_seen < now() - ${intervalSql(first)} END
    OR t.started_at < now() - ${intervalSql(first + 2)})`;
}

/** The parameters of `abandoned`, in order. */
export function livenessParameters({ runnerTimeoutMs, unknownRunnerMs, turnLimitMs }: Liveness): number[] {
  return [runnerTimeoutMs, unknownRunnerMs, turnLimitMs];
}

/** SQL of an interval from the parameter with this number, in milliseconds. */
export function intervalSql(parameter: number): string {
  return `make_interval(secs => $${parameter}::float8 / 1000)`;
}
