-- Milliseconds of audio that was spoken or transcribed. What was counted before has none.
ALTER TABLE "usage_record" ADD COLUMN "audio_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "hourly_rollup" ADD COLUMN "audio_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "daily_rollup" ADD COLUMN "audio_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "connection_rollup" ADD COLUMN "audio_ms" BIGINT NOT NULL DEFAULT 0;
