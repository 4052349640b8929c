-- What is kept of a transcription: metrics, and nothing of what was said (spec §4.6). A row is written once, when it has ended.
CREATE TABLE "transcriptions" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" TEXT NOT NULL,
  -- Empty when it ended before one was chosen.
  "provider" TEXT NOT NULL,
  "mime_type" TEXT NOT NULL,
  "size_bytes" BIGINT NOT NULL,
  "language" TEXT NOT NULL,
  -- Of the audio.
  "duration_ms" INTEGER NOT NULL,
  -- Of the work.
  "work_ms" INTEGER NOT NULL,
  "status" TEXT NOT NULL,
  "error_condition" TEXT,
  "conversation_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "transcriptions_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "transcriptions_workspace_id_created_at_idx" ON "transcriptions" ("workspace_id", "created_at");
