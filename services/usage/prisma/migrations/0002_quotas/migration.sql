-- Updated with every block that is leased: room in the page keeps those updates out of the index.
CREATE TABLE "quota_counter" (
  "kind" TEXT NOT NULL,
  "subject_id" UUID NOT NULL,
  "metric" TEXT NOT NULL,
  "window_seconds" BIGINT NOT NULL,
  "started" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "used" BIGINT NOT NULL,
  CONSTRAINT "quota_counter_pkey" PRIMARY KEY ("subject_id", "kind", "metric", "window_seconds", "started")
) WITH (fillfactor = 50);
CREATE INDEX "quota_counter_ends_at_idx" ON "quota_counter" ("ends_at");

CREATE TABLE "quota_lease" (
  "id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "subject_id" UUID NOT NULL,
  "metric" TEXT NOT NULL,
  "window_seconds" BIGINT NOT NULL,
  "started" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "move" INTEGER NOT NULL DEFAULT 0,
  "moved" BIGINT NOT NULL DEFAULT 0,
  "granted" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "quota_lease_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 50);
CREATE INDEX "quota_lease_ends_at_idx" ON "quota_lease" ("ends_at");
