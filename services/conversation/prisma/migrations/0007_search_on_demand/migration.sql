-- Text is indexed only for owners who search (ADR 0048). Who searched before is unknown: every owner begins without an index.
TRUNCATE "search_documents";

-- The owners with an index.
CREATE TABLE "search_owners" (
  "workspace_id" UUID NOT NULL,
  -- A key, or the user who owns conversations without a key.
  "owner_id" UUID NOT NULL,
  "is_key" BOOLEAN NOT NULL,
  "last_searched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- The index covers the owner's conversations with a last activity before this time; up to the id among those of the same time.
  "covered_until" TIMESTAMPTZ(3) NOT NULL,
  "covered_id" UUID NOT NULL,
  -- The replica that builds the index has it until then.
  "lease_until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "search_owners_pkey" PRIMARY KEY ("workspace_id", "owner_id")
);

-- How far the index covers a conversation. Without a row none of it is in the index.
CREATE TABLE "search_conversations" (
  "conversation_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "owner_id" UUID NOT NULL,
  -- Title and messages of the turns up to this one have documents; below 0 nothing has, because a change removed them.
  "sequence" INTEGER NOT NULL,
  CONSTRAINT "search_conversations_pkey" PRIMARY KEY ("conversation_id")
);
CREATE INDEX "search_conversations_workspace_id_owner_id_idx" ON "search_conversations" ("workspace_id", "owner_id");
CREATE INDEX "search_conversations_stale_idx" ON "search_conversations" ("workspace_id") WHERE "sequence" < 0;
