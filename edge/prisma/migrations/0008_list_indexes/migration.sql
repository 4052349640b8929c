-- Lists are read by position: each order has an index that ends with the id.
DROP INDEX "api_keys_workspace_id_created_at_idx";
DROP INDEX "api_keys_user_id_idx";
DROP INDEX "service_accounts_workspace_id_idx";
DROP INDEX "invitations_workspace_id_created_at_idx";
CREATE INDEX "api_keys_workspace_id_created_at_id_idx" ON "api_keys" ("workspace_id", "created_at", "id");
CREATE INDEX "api_keys_user_id_created_at_id_idx" ON "api_keys" ("user_id", "created_at", "id");
CREATE INDEX "api_keys_created_at_id_idx" ON "api_keys" ("created_at", "id") WHERE NOT "is_personal";
-- Few keys are revoked, or few are not: either is found without the others.
CREATE INDEX "api_keys_revoked_idx" ON "api_keys" ("created_at", "id") WHERE NOT "is_personal" AND "revoked_at" IS NOT NULL;
CREATE INDEX "api_keys_expiry_idx" ON "api_keys" ("expires_at") WHERE NOT "is_personal" AND "revoked_at" IS NULL;
CREATE INDEX "api_keys_name_idx" ON "api_keys" ((casefold("name" COLLATE pg_unicode_fast)), "id") WHERE NOT "is_personal";
CREATE INDEX "api_keys_last_used_idx" ON "api_keys" ((COALESCE("last_used_at", 'epoch'::timestamptz)), "id") WHERE NOT "is_personal";
CREATE INDEX "api_keys_prefix_idx" ON "api_keys" ("prefix" text_pattern_ops) WHERE NOT "is_personal";
CREATE INDEX "users_created_at_id_idx" ON "users" ("created_at", "id");
CREATE INDEX "users_instance_role_idx" ON "users" ("instance_role") WHERE "instance_role" IS NOT NULL;
CREATE INDEX "workspaces_created_at_id_idx" ON "workspaces" ("created_at", "id");
CREATE INDEX "service_accounts_created_at_id_idx" ON "service_accounts" ("created_at", "id");
CREATE INDEX "service_accounts_workspace_id_created_at_id_idx" ON "service_accounts" ("workspace_id", "created_at", "id");
CREATE INDEX "invitations_created_at_id_idx" ON "invitations" ("created_at", "id");
CREATE INDEX "invitations_workspace_id_created_at_id_idx" ON "invitations" ("workspace_id", "created_at", "id");

-- Names are found by any part of them, without differences of case in any language. The planner takes statistics of an expression from an index of all rows only.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
-- The extension may have been there before, in a schema that is not on our search path.
DO $$
DECLARE
    opclass TEXT := (SELECT extnamespace::regnamespace || '.gin_trgm_ops' FROM pg_extension WHERE extname = 'pg_trgm');
BEGIN
    EXECUTE format('CREATE INDEX "api_keys_search_idx" ON "api_keys" USING gin ((casefold("name" COLLATE pg_unicode_fast)) %s)', opclass);
    EXECUTE format('CREATE INDEX "users_search_idx" ON "users" USING gin ((casefold(("display_name" || '' '' || coalesce("email", '''')) COLLATE pg_unicode_fast)) %s)', opclass);
    EXECUTE format('CREATE INDEX "workspaces_search_idx" ON "workspaces" USING gin ((casefold("name" COLLATE pg_unicode_fast)) %s)', opclass);
END $$;

-- Statistics of the new expressions, without which common texts are searched for by their index.
ANALYZE "api_keys";
ANALYZE "users";
ANALYZE "workspaces";
