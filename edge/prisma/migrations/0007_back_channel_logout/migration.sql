-- Who a session is at its OpenID Connect provider; null for sessions that were begun before.
ALTER TABLE "sessions" ADD COLUMN "oidc_subject" TEXT;
ALTER TABLE "sessions" ADD COLUMN "oidc_sid" TEXT;
CREATE INDEX "sessions_provider_id_oidc_subject_idx" ON "sessions" ("provider_id", "oidc_subject");
CREATE INDEX "sessions_provider_id_oidc_sid_idx" ON "sessions" ("provider_id", "oidc_sid");

-- Logouts that providers have told of, for as long as their tokens could be used again.
CREATE TABLE "oidc_logouts" (
    "digest" BYTEA NOT NULL,
    "provider_id" UUID NOT NULL,
    "subject" TEXT,
    "sid" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "oidc_logouts_pkey" PRIMARY KEY ("digest")
);
CREATE INDEX "oidc_logouts_provider_id_idx" ON "oidc_logouts" ("provider_id");
CREATE INDEX "oidc_logouts_expires_at_idx" ON "oidc_logouts" ("expires_at");
ALTER TABLE "oidc_logouts" ADD CONSTRAINT "oidc_logouts_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "oidc_providers" ("id") ON DELETE CASCADE ON UPDATE NO ACTION;
