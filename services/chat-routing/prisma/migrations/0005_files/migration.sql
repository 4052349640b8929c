CREATE TABLE "upstream_files" (
  "id" TEXT NOT NULL,
  "workspace_id" UUID NOT NULL,
  "connection_id" UUID NOT NULL,
  "conversation_id" UUID,
  "project_id" UUID,
  "asset_id" UUID NOT NULL,
  "file_name" TEXT NOT NULL,
  "mime_type" TEXT NOT NULL,
  "size_bytes" BIGINT NOT NULL,
  "status" TEXT NOT NULL,
  "upstream_ref" TEXT NOT NULL,
  "prepared_text" TEXT,
  "prepared_image" BYTEA,
  "omitted" TEXT NOT NULL DEFAULT '',
  "checks" INTEGER NOT NULL DEFAULT 0,
  "next_check_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "upstream_files_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "upstream_files_status_check" CHECK ("status" IN ('processing', 'ready', 'failed')),
  CONSTRAINT "upstream_files_place_check" CHECK (num_nonnulls("conversation_id", "project_id") = 1),
  CONSTRAINT "upstream_files_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connections"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "upstream_files_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "upstream_projects"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "upstream_files_connection_id_idx" ON "upstream_files"("connection_id");
CREATE INDEX "upstream_files_conversation_id_idx" ON "upstream_files"("conversation_id");
CREATE INDEX "upstream_files_project_id_created_at_idx" ON "upstream_files"("project_id", "created_at");
-- The sweep over what an upstream is still working on must not read what is done.
CREATE INDEX "upstream_files_processing_idx" ON "upstream_files"("next_check_at") WHERE "status" = 'processing';

-- What the upstream refused of its features lately.
ALTER TABLE "connection_health" ADD COLUMN "refused" TEXT[] NOT NULL DEFAULT '{}';
