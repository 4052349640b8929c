-- The record of conversations. No foreign keys between these tables: each would cost the turn a lookup and a row lock,
-- one statement writes parents and children together, and rows are never deleted while others point to them.

CREATE TABLE "conversations" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "owner_key_id" UUID NOT NULL,
  "owner_user_id" UUID,
  "title" TEXT NOT NULL DEFAULT '',
  "status" TEXT NOT NULL DEFAULT 'active',
  "upstream_account_id" TEXT NOT NULL,
  "upstream_project_id" TEXT,
  "destination_type" TEXT NOT NULL DEFAULT 'general',
  "model" TEXT NOT NULL,
  "pinned" BOOLEAN NOT NULL DEFAULT false,
  "continuity_status" TEXT NOT NULL DEFAULT 'available',
  -- What the provider adapter needs to continue, as the newest turn that said so left it.
  "upstream_state" TEXT NOT NULL DEFAULT '',
  "message_count" INTEGER NOT NULL DEFAULT 0,
  "last_message_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "deleted_at" TIMESTAMPTZ(3),
  CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 80);
-- Every turn updates its conversation's row: room for the new version beside the old one, and dead versions cleared early.
ALTER TABLE "conversations" SET (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX "conversations_workspace_id_owner_key_id_last_message_at_idx"
  ON "conversations" ("workspace_id", "owner_key_id", "last_message_at" DESC);
-- Almost no conversation is in these states, so this index costs the turn nothing.
CREATE INDEX "conversations_recoverable_idx" ON "conversations" ("upstream_account_id")
  WHERE "continuity_status" IN ('session_expired', 'upstream_unavailable');

CREATE TABLE "turns" (
  "id" UUID NOT NULL,
  "conversation_id" UUID NOT NULL,
  "sequence" INTEGER NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" UUID NOT NULL,
  "user_id" UUID,
  "request_id" TEXT NOT NULL,
  "assistant_message_id" UUID NOT NULL,
  -- How many messages the turn began with.
  "message_count" INTEGER NOT NULL,
  "model" TEXT NOT NULL,
  "upstream_account_id" TEXT NOT NULL,
  "runner_id" UUID NOT NULL,
  "idempotency_key" TEXT,
  "request_digest" BYTEA,
  "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "turns_pkey" PRIMARY KEY ("id")
);
-- One turn at a time: two that take the same sequence meet here, whichever replica they came through.
CREATE UNIQUE INDEX "turns_conversation_id_sequence_key" ON "turns" ("conversation_id", "sequence");
CREATE UNIQUE INDEX "turns_key_id_idempotency_key_key" ON "turns" ("key_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;
-- For the reaper, which only looks at recent turns; rows are appended in the order of this column.
CREATE INDEX "turns_started_at_idx" ON "turns" USING BRIN ("started_at") WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE "turn_ends" (
  "turn_id" UUID NOT NULL,
  "conversation_id" UUID NOT NULL,
  "status" TEXT NOT NULL,
  "finish_reason" TEXT NOT NULL DEFAULT '',
  "tokens_in" INTEGER NOT NULL DEFAULT 0,
  "tokens_out" INTEGER NOT NULL DEFAULT 0,
  "duration_ms" INTEGER NOT NULL DEFAULT 0,
  "error_condition" TEXT,
  "error_message" TEXT,
  "error_param" TEXT,
  "error_retry_after_ms" INTEGER,
  "connection_id" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "turn_ends_pkey" PRIMARY KEY ("turn_id")
);

CREATE TABLE "messages" (
  "id" UUID NOT NULL,
  "conversation_id" UUID NOT NULL,
  "turn_id" UUID NOT NULL,
  -- Sequence of the turn, then the place within it.
  "sequence" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "role" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  -- Only of messages that hold more than text.
  "parts" JSONB,
  "status" TEXT NOT NULL DEFAULT 'completed',
  "model" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "messages_conversation_id_sequence_position_idx" ON "messages" ("conversation_id", "sequence", "position");

-- What long answers have so far; a row lives until its turn ends.
CREATE TABLE "turn_partials" (
  "turn_id" UUID NOT NULL,
  "text" TEXT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "turn_partials_pkey" PRIMARY KEY ("turn_id")
) WITH (fillfactor = 50);

-- Who runs turns, by their heartbeats.
CREATE TABLE "turn_runners" (
  "runner_id" UUID NOT NULL,
  "runner_name" TEXT NOT NULL,
  "first_seen" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "last_seen" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "turn_runners_pkey" PRIMARY KEY ("runner_id")
) WITH (fillfactor = 50);
CREATE INDEX "turn_runners_runner_name_idx" ON "turn_runners" ("runner_name");

-- One row: every turn that started before `open_since` has ended.
CREATE TABLE "reaper_progress" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "open_since" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "reaper_progress_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "reaper_progress_one_row" CHECK ("id" = 1)
);
INSERT INTO "reaper_progress" ("open_since") VALUES (now());

CREATE TABLE "outbox" (
  "id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
