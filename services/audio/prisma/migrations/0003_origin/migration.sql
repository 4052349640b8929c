-- The request that created a job: its id for log lines, and its trace, empty unless that is sampled.
ALTER TABLE "speech_jobs" ADD COLUMN "request_id" TEXT NOT NULL DEFAULT '', ADD COLUMN "traceparent" TEXT NOT NULL DEFAULT '';
