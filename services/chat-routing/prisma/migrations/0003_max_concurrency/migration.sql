ALTER TABLE "connections" ADD COLUMN "max_concurrency" INTEGER;
