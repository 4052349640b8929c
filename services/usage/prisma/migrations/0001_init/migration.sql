CREATE TABLE "usage_record" (
  "event_id" UUID NOT NULL,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" UUID NOT NULL,
  "model" TEXT NOT NULL,
  "successful" BIGINT NOT NULL,
  "errors" BIGINT NOT NULL,
  "rate_limited" BIGINT NOT NULL,
  "tokens_in" BIGINT NOT NULL,
  "tokens_out" BIGINT NOT NULL,
  "duration_ms" BIGINT NOT NULL,
  CONSTRAINT "usage_record_pkey" PRIMARY KEY ("event_id")
);
CREATE INDEX "usage_record_occurred_at_idx" ON "usage_record" ("occurred_at");

-- Rollup rows are updated all day long: room in the page keeps those updates out of the indexes.
CREATE TABLE "hourly_rollup" (
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" UUID NOT NULL,
  "model" TEXT NOT NULL,
  "successful" BIGINT NOT NULL,
  "errors" BIGINT NOT NULL,
  "rate_limited" BIGINT NOT NULL,
  "tokens_in" BIGINT NOT NULL,
  "tokens_out" BIGINT NOT NULL,
  "duration_ms" BIGINT NOT NULL,
  CONSTRAINT "hourly_rollup_pkey" PRIMARY KEY ("workspace_id", "key_id", "hour", "model")
) WITH (fillfactor = 70);
CREATE INDEX "hourly_rollup_hour_idx" ON "hourly_rollup" ("hour");

CREATE TABLE "daily_rollup" (
  "day" DATE NOT NULL,
  "workspace_id" UUID NOT NULL,
  "key_id" UUID NOT NULL,
  "model" TEXT NOT NULL,
  "successful" BIGINT NOT NULL,
  "errors" BIGINT NOT NULL,
  "rate_limited" BIGINT NOT NULL,
  "tokens_in" BIGINT NOT NULL,
  "tokens_out" BIGINT NOT NULL,
  "duration_ms" BIGINT NOT NULL,
  CONSTRAINT "daily_rollup_pkey" PRIMARY KEY ("workspace_id", "key_id", "day", "model")
) WITH (fillfactor = 70);
CREATE INDEX "daily_rollup_day_idx" ON "daily_rollup" ("day");
