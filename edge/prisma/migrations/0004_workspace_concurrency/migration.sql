ALTER TABLE "workspaces"
    ADD COLUMN "max_concurrency" INTEGER,
    ADD CONSTRAINT "workspaces_max_concurrency_check" CHECK ("max_concurrency" > 0);
