-- What an upstream offers changes; what an operator named does not. One replica at a time asks, by the database's clock.
ALTER TABLE "connections" ADD COLUMN "models_named" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "connections" ADD COLUMN "models_asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX "connections_models_asked_at_idx" ON "connections"("models_asked_at");
