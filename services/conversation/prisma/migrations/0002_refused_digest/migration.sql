-- Set when the turn opened a conversation and failed before an upstream took it, so that a retry finds what nobody else knows of.
-- A turn that goes well has no entry in the index.
ALTER TABLE "turn_ends" ADD COLUMN "refused_digest" BYTEA;
CREATE INDEX "turn_ends_refused_digest_idx" ON "turn_ends" ("refused_digest", "ended_at") WHERE "refused_digest" IS NOT NULL;
