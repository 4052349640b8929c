-- Sums of records per connection and UTC hour, for the operator's report. Records from before this table have no connection.
CREATE TABLE "connection_rollup" (
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "workspace_id" UUID NOT NULL,
  "connection_id" TEXT NOT NULL,
  "successful" BIGINT NOT NULL,
  "errors" BIGINT NOT NULL,
  "rate_limited" BIGINT NOT NULL,
  "tokens_in" BIGINT NOT NULL,
  "tokens_out" BIGINT NOT NULL,
  "duration_ms" BIGINT NOT NULL,
  CONSTRAINT "connection_rollup_pkey" PRIMARY KEY ("workspace_id", "connection_id", "hour")
) WITH (fillfactor = 70);
CREATE INDEX "connection_rollup_hour_idx" ON "connection_rollup" ("hour");
