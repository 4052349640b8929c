-- When a turn came to what, in milliseconds since the head of its request arrived at the edge; null: it did not come to that, or nothing reported it.
-- No default, so that no row is rewritten.
ALTER TABLE "turn_ends"
  ADD COLUMN "routed_ms" INTEGER,
  ADD COLUMN "committed_ms" INTEGER,
  ADD COLUMN "asked_ms" INTEGER,
  ADD COLUMN "accepted_ms" INTEGER,
  ADD COLUMN "first_token_ms" INTEGER,
  ADD COLUMN "answered_ms" INTEGER,
  -- Why the turn went to its first connection.
  ADD COLUMN "route_reason" TEXT;

-- True for a request id that begins with the time of its turn, as those do that the edge generates (UUIDv7): its turn is found by time (ADR 0053).
-- The first 32 of the 48 bits of that time count 65,536 milliseconds; a turn may start in the same period or in the next one. Only immutable functions,
-- so that PostgreSQL inlines it.
CREATE FUNCTION "is_timed_request_id"("request_id" TEXT, "started_at" TIMESTAMPTZ) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left("request_id", 8) IN (
  lpad(to_hex(floor(date_part('epoch', "started_at" - '1970-01-01 00:00:00+00'::timestamptz) / 65.536)::bigint), 8, '0'),
  lpad(to_hex(floor(date_part('epoch', "started_at" - '1970-01-01 00:00:00+00'::timestamptz) / 65.536)::bigint - 1), 8, '0'));

-- Only of the other request ids, which clients chose: the others cost their turns no index entry. With the id, for the newest turns of one that many have.
CREATE INDEX "turns_request_id_idx" ON "turns" ("request_id", "id") WHERE NOT "is_timed_request_id"("request_id", "started_at");

-- For sums over the turns that ended in a period; rows are appended in the order of this column.
CREATE INDEX "turn_ends_ended_at_idx" ON "turn_ends" USING BRIN ("ended_at") WITH (pages_per_range = 32, autosummarize = on);
