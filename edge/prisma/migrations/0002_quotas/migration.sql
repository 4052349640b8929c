-- Such as '10000 per 1 day', or 'unlimited'; NULL for the default.
ALTER TABLE "workspaces" ADD COLUMN "quota_requests" TEXT, ADD COLUMN "quota_tokens" TEXT, ADD COLUMN "quota_audio_seconds" TEXT;
ALTER TABLE "api_keys" ADD COLUMN "quota_requests" TEXT, ADD COLUMN "quota_tokens" TEXT, ADD COLUMN "quota_audio_seconds" TEXT;
