-- What of an event waits to be added to the sketches: one row for each chat turn, and for other work that failed with a code. Read and emptied as a whole, so without a key.
CREATE TABLE "usage_sample" (
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" UUID NOT NULL,
  "model" TEXT NOT NULL,
  "connection_id" TEXT NOT NULL,
  "duration_bucket" INTEGER,
  "first_token_bucket" INTEGER,
  "code" TEXT NOT NULL
);

-- Latencies and errors of each workspace, key, model and connection (`kind`, `id`), by UTC hour until they are moved to their day.
CREATE TABLE "hourly_sketch" (
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "kind" TEXT NOT NULL,
  "workspace_id" UUID NOT NULL,
  "id" TEXT NOT NULL,
  "durations" BYTEA NOT NULL,
  "first_tokens" BYTEA NOT NULL,
  "errors" JSONB,
  CONSTRAINT "hourly_sketch_pkey" PRIMARY KEY ("kind", "workspace_id", "id", "hour")
) WITH (fillfactor = 70);
CREATE INDEX "hourly_sketch_hour_idx" ON "hourly_sketch" ("hour");

CREATE TABLE "daily_sketch" (
  "day" DATE NOT NULL,
  "kind" TEXT NOT NULL,
  "workspace_id" UUID NOT NULL,
  "id" TEXT NOT NULL,
  "durations" BYTEA NOT NULL,
  "first_tokens" BYTEA NOT NULL,
  "errors" JSONB,
  CONSTRAINT "daily_sketch_pkey" PRIMARY KEY ("kind", "workspace_id", "id", "day")
);
CREATE INDEX "daily_sketch_day_idx" ON "daily_sketch" ("day");
