-- A turn opened the conversation, and no upstream has accepted a turn of it yet: lists leave it out until one does.
ALTER TABLE "conversations" ADD COLUMN "refused" BOOLEAN NOT NULL DEFAULT false;

-- Only first turns that opened a conversation have a digest here.
UPDATE "conversations" c SET "refused" = true
WHERE c."id" IN (SELECT "conversation_id" FROM "turn_ends" WHERE "refused_digest" IS NOT NULL) AND NOT EXISTS (
  SELECT FROM "turns" t LEFT JOIN "turn_ends" e ON e."turn_id" = t."id"
  WHERE t."conversation_id" = c."id" AND (e."status" = 'failed' AND e."finish_reason" = '') IS NOT TRUE);

-- The indexes of lists and counts leave out what the lists leave out, so that a page and a count need nothing but the index.
DROP INDEX "conversations_of_key_idx";
CREATE INDEX "conversations_of_key_idx" ON "conversations" ("workspace_id", "owner_key_id", "last_message_at" DESC)
  WHERE "deleted_at" IS NULL AND NOT "refused";
DROP INDEX "conversations_of_user_idx";
CREATE INDEX "conversations_of_user_idx" ON "conversations" ("workspace_id", "owner_user_id", "last_message_at" DESC)
  WHERE "owner_key_id" IS NULL AND "deleted_at" IS NULL AND NOT "refused";
DROP INDEX "conversations_of_project_idx";
CREATE INDEX "conversations_of_project_idx" ON "conversations" ("workspace_id", "upstream_project_id")
  WHERE "upstream_project_id" IS NOT NULL AND "deleted_at" IS NULL AND NOT "refused";
