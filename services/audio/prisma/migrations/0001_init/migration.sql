-- A speech job: what was asked for, the work, and what came of it, in one row. `created` and `validated` (spec §2.7) are passed within the
-- transaction that inserts it as `queued`.
CREATE TABLE "speech_jobs" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" TEXT NOT NULL,
  "idempotency_key" TEXT,
  "request_digest" BYTEA,
  "retry_of" UUID,
  "status" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "voice" TEXT NOT NULL,
  "model" TEXT NOT NULL DEFAULT '',
  "language" TEXT NOT NULL DEFAULT '',
  "response_format" TEXT NOT NULL,
  "provider_options" TEXT NOT NULL DEFAULT '',
  "input" TEXT NOT NULL,
  "input_characters" INTEGER NOT NULL,
  "progress" INTEGER NOT NULL DEFAULT 0,
  "output_mime_type" TEXT NOT NULL DEFAULT '',
  "output_size_bytes" BIGINT NOT NULL DEFAULT 0,
  -- Of the audio.
  "duration_ms" INTEGER NOT NULL DEFAULT 0,
  "sha256" TEXT,
  -- Set while the bytes are kept.
  "blob_key" TEXT,
  "work_ms" INTEGER NOT NULL DEFAULT 0,
  "error_condition" TEXT,
  "error_message" TEXT,
  -- Counts the workers that have had it. A move is made by the newest one or not at all, and each keeps its bytes under a key of its own.
  "generation" INTEGER NOT NULL DEFAULT 0,
  -- Of those, how many fell silent.
  "crashes" INTEGER NOT NULL DEFAULT 0,
  -- And how many failed with what may pass.
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "lease_owner" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  "next_attempt_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "speech_jobs_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 80);
CREATE INDEX "speech_jobs_workspace_id_created_at_id_idx" ON "speech_jobs" ("workspace_id", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "speech_jobs_idempotency_idx" ON "speech_jobs" ("workspace_id", "key_id", "idempotency_key")
  WHERE "idempotency_key" IS NOT NULL;
-- The queue: few jobs are in these states.
CREATE INDEX "speech_jobs_queue_idx" ON "speech_jobs" ("next_attempt_at") WHERE "status" IN ('queued', 'processing');
CREATE INDEX "speech_jobs_expires_at_idx" ON "speech_jobs" ("expires_at") WHERE "blob_key" IS NOT NULL;
CREATE INDEX "speech_jobs_created_at_idx" ON "speech_jobs" ("created_at") WHERE "status" IN ('completed', 'failed', 'cancelled');

-- Characters that a workspace has had spoken on a day (UTC).
CREATE TABLE "speech_quota" (
  "workspace_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "characters" INTEGER NOT NULL,
  CONSTRAINT "speech_quota_pkey" PRIMARY KEY ("workspace_id", "day")
);

CREATE TABLE "outbox" (
  "id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
