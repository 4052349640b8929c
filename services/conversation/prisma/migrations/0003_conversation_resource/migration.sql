-- Sharing: after a transfer a conversation belongs to a user, through whichever key.
ALTER TABLE "conversations" ALTER COLUMN "owner_key_id" DROP NOT NULL;
-- Somebody gave the title, were it an empty one: none is made then.
ALTER TABLE "conversations" ADD COLUMN "title_is_given" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "participants" (
  "conversation_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "participants_pkey" PRIMARY KEY ("conversation_id", "user_id")
);
CREATE INDEX "participants_workspace_id_user_id_idx" ON "participants" ("workspace_id", "user_id");

-- Lists leave out what was deleted; so does their index, and counting needs nothing but the index.
DROP INDEX "conversations_workspace_id_owner_key_id_last_message_at_idx";
CREATE INDEX "conversations_of_key_idx" ON "conversations" ("workspace_id", "owner_key_id", "last_message_at" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "conversations_of_user_idx" ON "conversations" ("workspace_id", "owner_user_id", "last_message_at" DESC)
  WHERE "owner_key_id" IS NULL AND "deleted_at" IS NULL;

-- Messages that no turn of ours brought (imported ones, and those that were added upstream) have none.
ALTER TABLE "messages" ALTER COLUMN "turn_id" DROP NOT NULL;
-- The upstream's own id, where a sync has told it.
ALTER TABLE "messages" ADD COLUMN "upstream_id" TEXT;
-- Not on the upstream's branch any more; the row stays, so that its id does when it comes back.
ALTER TABLE "messages" ADD COLUMN "removed_at" TIMESTAMPTZ(3);
CREATE UNIQUE INDEX "messages_conversation_id_upstream_id_key" ON "messages" ("conversation_id", "upstream_id") WHERE "upstream_id" IS NOT NULL;

-- What a search reads: a row for each message, and one for each title under the id of its conversation. A table of its own, filled after
-- turns have ended, so that they do not pay for its index.
CREATE TABLE "search_documents" (
  "id" UUID NOT NULL,
  "conversation_id" UUID NOT NULL,
  -- In lower case.
  "text" TEXT NOT NULL,
  CONSTRAINT "search_documents_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "search_documents_conversation_id_idx" ON "search_documents" ("conversation_id");
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- The extension may have been there before, in a schema that is not on our search path.
DO $$
BEGIN
  EXECUTE format('CREATE INDEX search_documents_text_idx ON search_documents USING gin (text %s.gin_trgm_ops)',
    (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm'));
END $$;
