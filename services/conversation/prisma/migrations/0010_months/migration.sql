-- For tables that are divided by month (ADR 0065). Nothing here divides one: `PARLEY_PARTITIONS=monthly` does.

-- The rows of a conversation that outlives its month are moved by this. A constant default: no row is rewritten.
ALTER TABLE "turns" ADD COLUMN "kept" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "turn_ends" ADD COLUMN "kept" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "messages" ADD COLUMN "kept" BOOLEAN NOT NULL DEFAULT false;

-- Leaves a turn out whose idempotency key or sequence another turn has. Each month has indexes of its own, which do not know the other months. The lock
-- belongs to the transaction: who waits for it looks after the other turn is committed, because each statement of this function has a new snapshot.
CREATE FUNCTION "refuse_used_turn"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.idempotency_key IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.key_id::text || NEW.idempotency_key, 0));
    IF EXISTS (SELECT FROM turns WHERE key_id = NEW.key_id AND idempotency_key = NEW.idempotency_key) THEN
      RETURN NULL;
    END IF;
  END IF;
  IF EXISTS (SELECT FROM turns_kept WHERE conversation_id = NEW.conversation_id AND sequence = NEW.sequence) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

-- For the sweep of deleted conversations; those that live have no entry.
CREATE INDEX "conversations_deleted_at_idx" ON "conversations" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
