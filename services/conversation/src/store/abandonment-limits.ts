/** When a turn counts as abandoned, by the database's clock. */
export interface AbandonmentLimits {
  /** Time without a heartbeat after which a runner counts as gone, in milliseconds. */
  runnerTimeoutMs: number;
  /** Age at which a turn with an unknown runner is abandoned, in milliseconds. */
  unknownRunnerMs: number;
  /** Age at which any turn is abandoned, in milliseconds: far above the time limit of runners. */
  turnLimitMs: number;
}

/** Default limits. */
export const DEFAULT_ABANDONMENT_LIMITS: AbandonmentLimits = { runnerTimeoutMs: 20_000, unknownRunnerMs: 25_000, turnLimitMs: 3_600_000 };

/** SQL: true for an abandoned turn `t` with its runner `r`, if any. Its parameters are `toAbandonmentParameters`, from `$first` on. */
export function isAbandonedSql(first: number): string {
  return `(CASE WHEN r.runner_id IS NULL THEN t.started_at < now() - ${intervalSql(first + 1)} ELSE r.last_seen < now() - ${intervalSql(first)} END
    OR t.started_at < now() - ${intervalSql(first + 2)})`;
}

/** The parameters of `isAbandonedSql`, in order. */
export function toAbandonmentParameters({ runnerTimeoutMs, unknownRunnerMs, turnLimitMs }: AbandonmentLimits): number[] {
  return [runnerTimeoutMs, unknownRunnerMs, turnLimitMs];
}

/** SQL: an interval from the parameter with this number, in milliseconds. */
export function intervalSql(parameter: number): string {
  return `make_interval(secs => $${parameter}::float8 / 1000)`;
}
