/** Columns of a query whose rows are `StoredRun`s. */
export const RUN_COLUMNS = `
  runs.id, runs.workspace_id AS "workspaceId", runs.key_id AS "keyId", runs.user_id AS "userId", runs.slug, runs.version,
  runs.connection_id AS "connectionId", runs.status, runs.verdict, runs.output, runs.error_condition AS "errorCondition",
  runs.error_message AS "errorMessage", runs.sequence, runs.created_at AS "createdAt", runs.updated_at AS "updatedAt",
  runs.started_at AS "startedAt", runs.ended_at AS "endedAt",
  runs.request_id AS "requestId", runs.traceparent`;

/** Columns of a query whose rows are `RunLogEntry`s. */
export const RUN_LOG_COLUMNS = `
  ordinal, step_id AS "stepId", attempt, risk, status, effect, outputs, started_at AS "startedAt", ended_at AS "endedAt"`;
