-- Workers that fell silent over an asset since it was registered or retried: one that ends every process must not be taken up for ever.
ALTER TABLE "assets" ADD COLUMN "silences" INTEGER NOT NULL DEFAULT 0;
