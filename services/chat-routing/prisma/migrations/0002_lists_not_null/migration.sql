ALTER TABLE "connections" ALTER COLUMN "models" SET NOT NULL;

ALTER TABLE "route_profiles" ALTER COLUMN "account_labels" SET NOT NULL;
