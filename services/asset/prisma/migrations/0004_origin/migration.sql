-- The request that registered, uploaded or retried an asset: its id for log lines, and its trace, empty unless that is sampled.
ALTER TABLE "assets" ADD COLUMN "request_id" TEXT NOT NULL DEFAULT '', ADD COLUMN "traceparent" TEXT NOT NULL DEFAULT '';
