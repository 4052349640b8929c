-- What is published, by slug; runs that begin now run the current version.
CREATE TABLE "actions" (
  "slug" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "current_version" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "actions_pkey" PRIMARY KEY ("slug")
);

-- Never changed once it is there: a run that has begun with a version ends with it. JSON, not JSONB, so that what was sent is what is kept.
CREATE TABLE "action_versions" (
  "slug" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  -- SHA-256 of document and sources with sorted keys: the same document is the same version.
  "digest" BYTEA NOT NULL,
  "document" JSON NOT NULL,
  "sources" JSON NOT NULL,
  -- Compiled from them.
  "workflow" JSON NOT NULL,
  "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "action_versions_pkey" PRIMARY KEY ("slug", "version")
);
CREATE UNIQUE INDEX "action_versions_slug_digest_key" ON "action_versions" ("slug", "digest");

-- Workspaces that may run actions while these are in beta.
CREATE TABLE "cohort" (
  "workspace_id" UUID NOT NULL,
  "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "cohort_pkey" PRIMARY KEY ("workspace_id")
);
