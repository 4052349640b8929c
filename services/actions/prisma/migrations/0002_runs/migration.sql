-- A run: what was asked for, where it stands, and what came of it, in one row. Times are the database's.
CREATE TABLE "runs" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "idempotency_key" TEXT,
  "request_digest" BYTEA,
  "connection_id" TEXT NOT NULL DEFAULT '',
  -- A JSON object, as text: kept as it came.
  "input" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "verdict" TEXT NOT NULL DEFAULT '',
  -- A JSON object.
  "output" TEXT NOT NULL DEFAULT '',
  "error_condition" TEXT,
  "error_message" TEXT,
  -- The step that comes next; none before the run is begun, and when no more come.
  "next_step" TEXT,
  -- Steps that were begun, repetitions included: the `ordinal` of the newest one in the journal.
  "executions" INTEGER NOT NULL DEFAULT 0,
  -- How often the next step has been asked to be repeated since the run last moved on.
  "retries" INTEGER NOT NULL DEFAULT 0,
  -- Number of its newest event.
  "sequence" INTEGER NOT NULL DEFAULT 0,
  -- Counts the workers that have had it; only the newest one moves it.
  "generation" INTEGER NOT NULL DEFAULT 0,
  -- Of those, how many fell silent at the step it is at.
  "crashes" INTEGER NOT NULL DEFAULT 0,
  "lease_owner" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  "next_attempt_at" TIMESTAMPTZ(3),
  -- When it is ended, whatever it does; set when it is begun.
  "deadline_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "started_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 70);
CREATE INDEX "runs_workspace_id_slug_created_at_id_idx" ON "runs" ("workspace_id", "slug", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "runs_idempotency_idx" ON "runs" ("workspace_id", "slug", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;
-- The queue: few runs are in these states.
CREATE INDEX "runs_queue_idx" ON "runs" ("next_attempt_at") WHERE "status" IN ('accepted', 'running', 'cancelling');
CREATE INDEX "runs_ended_at_idx" ON "runs" ("ended_at") WHERE "ended_at" IS NOT NULL;

-- The journal: a row is committed as `started` before its step is done, and ended after it. No request and no header is in here.
CREATE TABLE "run_steps" (
  "run_id" UUID NOT NULL,
  -- From 1 on, in the order in which steps were begun.
  "ordinal" INTEGER NOT NULL,
  "step_id" TEXT NOT NULL,
  -- Of this step in this run, from 1 on.
  "attempt" INTEGER NOT NULL,
  "risk" TEXT NOT NULL,
  -- started | succeeded | failed
  "status" TEXT NOT NULL,
  -- none | applied | unknown: what it did to the world
  "effect" TEXT NOT NULL,
  "status_code" INTEGER,
  -- A JSON object: what later steps see of it.
  "outputs" TEXT NOT NULL DEFAULT '{}',
  "error_condition" TEXT,
  "error_message" TEXT,
  "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "run_steps_pkey" PRIMARY KEY ("run_id", "ordinal"),
  CONSTRAINT "run_steps_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs" ("id") ON DELETE CASCADE
);

-- What happened, for whoever watches: numbered without gaps, because a run's row is held while one is written.
CREATE TABLE "run_events" (
  "run_id" UUID NOT NULL,
  "sequence" INTEGER NOT NULL,
  "type" TEXT NOT NULL,
  "step_id" TEXT NOT NULL DEFAULT '',
  -- A JSON object.
  "data" TEXT NOT NULL DEFAULT '{}',
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id", "sequence"),
  CONSTRAINT "run_events_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs" ("id") ON DELETE CASCADE
);

CREATE TABLE "outbox" (
  "id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
