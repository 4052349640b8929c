-- What a failure says decides what is done: why a breaker is open, what is held against it, which models rest, and when we probe it ourselves.
ALTER TABLE "connection_health" ADD COLUMN "expiries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "connection_health" ADD COLUMN "unauthorized_once" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "connection_health" ADD COLUMN "open_cause" TEXT NOT NULL DEFAULT '';
ALTER TABLE "connection_health" ADD COLUMN "on_trial" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "connection_health" ADD COLUMN "probe_at" TIMESTAMPTZ(3);
ALTER TABLE "connection_health" ADD COLUMN "resting" JSONB NOT NULL DEFAULT '[]';
UPDATE "connection_health" SET "open_cause" = 'failures' WHERE "openings" > 0;
UPDATE "connection_health" SET "expiries" = 1 WHERE "expired";
UPDATE "connection_health" SET "probe_at" = greatest(now(), "open_until") WHERE "openings" > 0 OR "expired";
CREATE INDEX "connection_health_probe_at_idx" ON "connection_health"("probe_at") WHERE "probe_at" IS NOT NULL;
