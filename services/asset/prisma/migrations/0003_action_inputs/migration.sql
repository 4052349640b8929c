-- What a file was uploaded for, and which run has it. Its asset's "expires_at" is when the rows go: the bytes go at "drop_at", and what is known of them
-- stays a while longer, so that lists and refusals stay true.
CREATE TABLE "action_inputs" (
  "asset_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "action_slug" TEXT NOT NULL,
  -- Until then a run may have it.
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  -- When its bytes go; null once they are gone.
  "drop_at" TIMESTAMPTZ(3),
  "run_id" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "action_inputs_pkey" PRIMARY KEY ("asset_id"),
  CONSTRAINT "action_inputs_asset_id_fkey" FOREIGN KEY ("asset_id") REFERENCES "assets" ("id") ON DELETE CASCADE
);
CREATE INDEX "action_inputs_workspace_id_action_slug_created_at_asset_id_idx"
  ON "action_inputs" ("workspace_id", "action_slug", "created_at", "asset_id");
CREATE INDEX "action_inputs_drop_at_idx" ON "action_inputs" ("drop_at") WHERE "drop_at" IS NOT NULL;
