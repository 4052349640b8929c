-- The request that created a run: its id for log lines, and its trace, empty unless that is sampled.
ALTER TABLE "runs" ADD COLUMN "request_id" TEXT NOT NULL DEFAULT '', ADD COLUMN "traceparent" TEXT NOT NULL DEFAULT '';
-- Runs that wait for a decision are counted for metrics; few are in this state.
CREATE INDEX "runs_review_idx" ON "runs" ("ended_at") WHERE "status" = 'needs_review';
