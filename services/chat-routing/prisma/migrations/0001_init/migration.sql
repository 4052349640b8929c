CREATE TABLE "connections" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "label" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "base_url" TEXT NOT NULL,
  "account" TEXT NOT NULL,
  "secret" BYTEA,
  "models" TEXT[],
  "enabled" BOOLEAN NOT NULL DEFAULT true,
  "is_default" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3),
  CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "connections_workspace_id_label_key" ON "connections"("workspace_id", "label");

CREATE TABLE "connection_health" (
  "connection_id" UUID NOT NULL,
  "proven" BOOLEAN NOT NULL DEFAULT false,
  "expired" BOOLEAN NOT NULL DEFAULT false,
  "rate_limited_until" TIMESTAMPTZ(3),
  "open_until" TIMESTAMPTZ(3),
  "openings" INTEGER NOT NULL DEFAULT 0,
  "probe_until" TIMESTAMPTZ(3),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "connection_health_pkey" PRIMARY KEY ("connection_id"),
  CONSTRAINT "connection_health_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "route_profiles" (
  "workspace_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "account_labels" TEXT[],
  "model" TEXT NOT NULL DEFAULT '',
  CONSTRAINT "route_profiles_pkey" PRIMARY KEY ("workspace_id", "slug")
);

CREATE TABLE "upstream_projects" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "connection_id" UUID NOT NULL,
  "slug" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'active',
  "upstream_ref" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "upstream_projects_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "upstream_projects_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "upstream_projects_connection_id_slug_key" ON "upstream_projects"("connection_id", "slug");
CREATE INDEX "upstream_projects_workspace_id_slug_idx" ON "upstream_projects"("workspace_id", "slug");

CREATE TABLE "project_bindings" (
  "project_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  CONSTRAINT "project_bindings_pkey" PRIMARY KEY ("project_id", "workspace_id"),
  CONSTRAINT "project_bindings_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "upstream_projects"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
