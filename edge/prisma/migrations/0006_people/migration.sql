-- People who sign in, what they prove it with, and what they may.
ALTER TABLE "users" ADD COLUMN "email" TEXT;
ALTER TABLE "users" ADD COLUMN "instance_role" TEXT;
ALTER TABLE "users" ADD COLUMN "password_hash" TEXT;
ALTER TABLE "users" ADD COLUMN "password_changed_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD COLUMN "requires_second_factor" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "users" ADD COLUMN "last_sign_in_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD CONSTRAINT "users_instance_role_check" CHECK ("instance_role" IN ('owner', 'admin', 'auditor'));
ALTER TABLE "users" ADD CONSTRAINT "users_email_check" CHECK ("email" = lower("email"));
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_check" CHECK ("role" IN ('owner', 'admin', 'member', 'viewer'));

-- One for each person and workspace counts what is done by a login session.
ALTER TABLE "api_keys" ADD COLUMN "is_personal" BOOLEAN NOT NULL DEFAULT false;
CREATE UNIQUE INDEX "api_keys_personal_key" ON "api_keys" ("workspace_id", "user_id") WHERE "is_personal";

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "is_strong" BOOLEAN NOT NULL DEFAULT false,
    "factor_shown_at" TIMESTAMPTZ(3),
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "provider_id" UUID,
    "id_token" BYTEA,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "one_time_tokens" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "user_id" UUID,
    "state" BYTEA,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_tokens_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "sign_in_failures" (
    "key" VARCHAR(120) NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "workspace_id" UUID,
    "workspace_role" TEXT,
    "instance_role" TEXT,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "accepted_by" UUID,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "totp_devices" (
    "user_id" UUID NOT NULL,
    "secret" BYTEA,
    "pending_secret" BYTEA,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "totp_devices_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "recovery_codes" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[] NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oidc_providers" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" BYTEA,
    "scopes" TEXT[] NOT NULL,
    "group_claim" TEXT,
    "role_mappings" JSONB NOT NULL DEFAULT '[]',
    "allows_sign_up" BOOLEAN NOT NULL DEFAULT false,
    "allowed_domains" TEXT[] NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "is_from_environment" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oidc_providers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oidc_identities" (
    "id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sign_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "oidc_identities_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "service_accounts" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "instance_role" TEXT,
    "workspace_id" UUID,
    "workspace_role" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_accounts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "signing_keys" (
    "id" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_jwk" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "signs_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("id")
);

-- The id of this gateway, the issuer and the audience of its tokens; a restored backup keeps it.
CREATE TABLE "instance" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "id" UUID NOT NULL,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("is_only"),
    CONSTRAINT "instance_is_only_check" CHECK ("is_only")
);
INSERT INTO "instance" ("id") VALUES (gen_random_uuid());

CREATE UNIQUE INDEX "sessions_digest_key" ON "sessions" ("digest");
CREATE INDEX "sessions_user_id_created_at_idx" ON "sessions" ("user_id", "created_at");
CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at");
CREATE UNIQUE INDEX "one_time_tokens_digest_key" ON "one_time_tokens" ("digest");
CREATE INDEX "one_time_tokens_expires_at_idx" ON "one_time_tokens" ("expires_at");
CREATE INDEX "one_time_tokens_user_id_idx" ON "one_time_tokens" ("user_id");
CREATE INDEX "sign_in_failures_last_at_idx" ON "sign_in_failures" ("last_at");
CREATE UNIQUE INDEX "invitations_digest_key" ON "invitations" ("digest");
CREATE INDEX "invitations_workspace_id_created_at_idx" ON "invitations" ("workspace_id", "created_at");
CREATE INDEX "invitations_email_idx" ON "invitations" ("email");
CREATE UNIQUE INDEX "recovery_codes_user_id_digest_key" ON "recovery_codes" ("user_id", "digest");
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys" ("credential_id");
CREATE INDEX "passkeys_user_id_idx" ON "passkeys" ("user_id");
CREATE UNIQUE INDEX "oidc_providers_slug_key" ON "oidc_providers" ("slug");
CREATE UNIQUE INDEX "oidc_providers_issuer_key" ON "oidc_providers" ("issuer");
CREATE UNIQUE INDEX "oidc_identities_issuer_subject_key" ON "oidc_identities" ("issuer", "subject");
CREATE INDEX "oidc_identities_user_id_idx" ON "oidc_identities" ("user_id");
CREATE UNIQUE INDEX "service_accounts_digest_key" ON "service_accounts" ("digest");
CREATE INDEX "service_accounts_workspace_id_idx" ON "service_accounts" ("workspace_id");

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "totp_devices" ADD CONSTRAINT "totp_devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "oidc_identities" ADD CONSTRAINT "oidc_identities_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "oidc_providers" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "oidc_identities" ADD CONSTRAINT "oidc_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_method_check" CHECK ("method" IN ('password', 'passkey', 'oidc', 'setup', 'invitation'));
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_kind_check" CHECK ("kind" IN ('setup', 'reset', 'second_factor', 'oidc', 'passkey'));
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_role_check" CHECK (
    ("workspace_id" IS NULL) = ("workspace_role" IS NULL) AND ("workspace_role" IS NOT NULL OR "instance_role" IS NOT NULL)
    AND "workspace_role" IN ('owner', 'admin', 'member', 'viewer') IS NOT FALSE AND "instance_role" IN ('owner', 'admin', 'auditor') IS NOT FALSE
);
ALTER TABLE "oidc_providers" ADD CONSTRAINT "oidc_providers_status_check" CHECK ("status" IN ('active', 'disabled'));
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_status_check" CHECK ("status" IN ('active', 'disabled'));
ALTER TABLE "service_accounts" ADD CONSTRAINT "service_accounts_role_check" CHECK (
    ("workspace_id" IS NULL) = ("workspace_role" IS NULL)
    AND "workspace_role" IN ('owner', 'admin', 'member', 'viewer') IS NOT FALSE AND "instance_role" IN ('owner', 'admin', 'auditor') IS NOT FALSE
);

-- The audit log is a chain: each entry has the hash of the one before it. A trigger appends, so that no writer can leave it out.
ALTER TABLE "audit_log" ADD COLUMN "actor_id" TEXT;
ALTER TABLE "audit_log" ADD COLUMN "session_id" TEXT;
ALTER TABLE "audit_log" ADD COLUMN "address" TEXT;
ALTER TABLE "audit_log" ADD COLUMN "seq" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "audit_log" ADD COLUMN "prev_hash" BYTEA NOT NULL DEFAULT '\x'::bytea;
ALTER TABLE "audit_log" ADD COLUMN "hash" BYTEA NOT NULL DEFAULT '\x'::bytea;

-- What an entry says, in one text that does not depend on settings of the reader.
CREATE FUNCTION "audit_text" (entry "audit_log") RETURNS TEXT LANGUAGE sql IMMUTABLE SET search_path FROM CURRENT AS $$
    SELECT jsonb_build_array(
        entry.seq, entry.id, extract(epoch FROM entry.at)::text, entry.actor, entry.actor_id, entry.session_id, entry.address,
        entry.action, entry.workspace_id, entry.target_id, entry.request_id, entry.details)::text
$$;

CREATE FUNCTION "audit_hash" (entry "audit_log") RETURNS BYTEA LANGUAGE sql IMMUTABLE SET search_path FROM CURRENT AS $$
    SELECT sha256(entry.prev_hash || convert_to("audit_text"(entry), 'UTF8'))
$$;

-- What was written before the chain began, in the order of its time.
DO $$
DECLARE
    entry "audit_log";
    position BIGINT := 0;
    before BYTEA := '\x';
BEGIN
    FOR entry IN SELECT * FROM "audit_log" ORDER BY "at", "id" LOOP
        position := position + 1;
        entry.seq := position;
        entry.prev_hash := before;
        before := "audit_hash"(entry);
        UPDATE "audit_log" SET "seq" = position, "prev_hash" = entry.prev_hash, "hash" = before WHERE "id" = entry.id;
    END LOOP;
END $$;

CREATE UNIQUE INDEX "audit_log_seq_key" ON "audit_log" ("seq");
CREATE INDEX "audit_log_actor_id_at_idx" ON "audit_log" ("actor_id", "at");
CREATE INDEX "audit_log_workspace_id_at_idx" ON "audit_log" ("workspace_id", "at");

CREATE FUNCTION "audit_append" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    -- One writer at a time, until its transaction ends: the chain has no gap and no fork.
    PERFORM pg_advisory_xact_lock(hashtextextended(TG_TABLE_SCHEMA || '.audit_log', 0));
    SELECT a.seq + 1, a.hash INTO NEW.seq, NEW.prev_hash FROM "audit_log" a ORDER BY a.seq DESC LIMIT 1;
    IF NOT FOUND THEN
        NEW.seq := 1;
        NEW.prev_hash := '\x';
    END IF;
    NEW.hash := "audit_hash"(NEW);
    RETURN NEW;
END $$;

CREATE FUNCTION "audit_is_append_only" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE TRIGGER "audit_append" BEFORE INSERT ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_append" ();
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "audit_is_append_only" ();
