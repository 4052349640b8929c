-- An account that is being connected, step by step. What was found out on the way is encrypted, with the id as associated data; it lives for minutes.
CREATE TABLE "connect_flows" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "session_hash" BYTEA NOT NULL,
  "provider" TEXT NOT NULL,
  "connection_id" UUID NOT NULL,
  "reconnects" BOOLEAN NOT NULL,
  "label" TEXT NOT NULL DEFAULT '',
  "status" TEXT NOT NULL DEFAULT 'open',
  "state" BYTEA,
  "step" INTEGER NOT NULL DEFAULT 1,
  "wrong" INTEGER NOT NULL DEFAULT 0,
  "answers" INTEGER NOT NULL DEFAULT 0,
  "claim" UUID,
  "claimed_until" TIMESTAMPTZ(3),
  "reason" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "connect_flows_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "connect_flows_expires_at_idx" ON "connect_flows"("expires_at");
CREATE INDEX "connect_flows_workspace_id_session_hash_idx" ON "connect_flows"("workspace_id", "session_hash");
