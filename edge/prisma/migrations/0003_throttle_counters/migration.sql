-- Not logged: a crash may forget what was counted, and a count costs no write to the log.
CREATE UNLOGGED TABLE "throttle_counters" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "throttle_counters_pkey" PRIMARY KEY ("key")
) WITH (fillfactor = 50);
