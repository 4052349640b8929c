ALTER TABLE "upstream_projects"
  ADD COLUMN "instructions" TEXT,
  ADD COLUMN "memory_policy" TEXT NOT NULL DEFAULT 'provider_default',
  -- Of projects that were made before anybody asked.
  ADD COLUMN "memory_policy_status" TEXT NOT NULL DEFAULT 'unverified',
  ADD COLUMN "is_default" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- The slug of a deleted project is free again.
DROP INDEX "upstream_projects_connection_id_slug_key";
CREATE UNIQUE INDEX "upstream_projects_active_slug_key" ON "upstream_projects"("connection_id", "slug") WHERE "status" = 'active';
CREATE UNIQUE INDEX "upstream_projects_default_key" ON "upstream_projects"("workspace_id") WHERE "is_default";
CREATE INDEX "upstream_projects_connection_id_idx" ON "upstream_projects"("connection_id");

CREATE TABLE "outbox" (
  "id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "payload" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
