-- How many conversations a project has. General conversations have no entry, so that their turns do not pay for it.
CREATE INDEX "conversations_of_project_idx" ON "conversations" ("workspace_id", "upstream_project_id")
  WHERE "upstream_project_id" IS NOT NULL AND "deleted_at" IS NULL;
