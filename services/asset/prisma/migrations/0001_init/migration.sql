-- A file that was given or made, and the job that fetches it: one row, so that the job's every move is the asset's.
CREATE TABLE "assets" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "conversation_id" UUID,
  "message_id" UUID,
  "project_id" UUID,
  "asset_type" TEXT NOT NULL,
  "file_name" TEXT NOT NULL,
  "mime_type" TEXT NOT NULL DEFAULT '',
  "size_bytes" BIGINT NOT NULL DEFAULT 0,
  "sha256" TEXT,
  "width" INTEGER,
  "height" INTEGER,
  "status" TEXT NOT NULL,
  "retry_count" INTEGER NOT NULL DEFAULT 0,
  "error_condition" TEXT,
  "error_message" TEXT,
  -- Of an uploaded file: what chat-routing calls it.
  "file_id" TEXT,
  -- Of a generated one: which account made it, and what its adapter needs to fetch it.
  "connection_id" TEXT,
  "reference" TEXT,
  -- Set once the bytes are kept for good.
  "blob_key" TEXT,
  -- Counts the workers that have had it. A move is made by the newest one or not at all, and each keeps its bytes under a key of its own.
  "generation" INTEGER NOT NULL DEFAULT 0,
  "lease_owner" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  -- Those that failed since it was registered or retried.
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_attempt_at" TIMESTAMPTZ(3),
  "give_up_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "expires_at" TIMESTAMPTZ(3),
  CONSTRAINT "assets_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 80);
CREATE INDEX "assets_conversation_id_created_at_id_idx" ON "assets" ("conversation_id", "created_at", "id");
CREATE INDEX "assets_project_id_idx" ON "assets" ("project_id");
-- The queue: almost no asset is in these states.
CREATE INDEX "assets_queue_idx" ON "assets" ("next_attempt_at") WHERE "status" IN ('discovered', 'downloading', 'validating');
CREATE INDEX "assets_expires_at_idx" ON "assets" ("expires_at") WHERE "expires_at" IS NOT NULL;

-- Conversations and projects that are gone, so that an event that comes late brings no asset back; kept as long as events are.
CREATE TABLE "removed_parents" (
  "id" UUID NOT NULL,
  "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "removed_parents_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "outbox" (
  "id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
