-- What an operator says of a connection: parameters that are passed on, the model of `auto`, and names for models that several connections have.
ALTER TABLE "connections"
  ADD COLUMN "pass" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "default_model" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "aliases" JSONB NOT NULL DEFAULT '{}';

-- An empty strategy is that of the profiles there were before: in order where accounts are named, by load otherwise.
ALTER TABLE "route_profiles"
  ADD COLUMN "strategy" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "weights" INTEGER[] NOT NULL DEFAULT '{}';

-- What conversations of a connection that is gone can be found by, to be given to another one.
CREATE TABLE "removed_connections" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "label" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "base_url" TEXT NOT NULL,
  "account" TEXT NOT NULL,
  "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "removed_connections_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "removed_connections_workspace_id_label_removed_at_idx" ON "removed_connections"("workspace_id", "label", "removed_at");
