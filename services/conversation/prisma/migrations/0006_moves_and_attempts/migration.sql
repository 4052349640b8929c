-- The caller named the account when the conversation was created: it never goes to another one.
ALTER TABLE "conversations" ADD COLUMN "account_named" BOOLEAN NOT NULL DEFAULT false;
-- The attempts of a turn that its first account did not answer, with connection, outcome, the upstream's status and words, and milliseconds.
ALTER TABLE "turn_ends" ADD COLUMN "attempts" JSONB;
-- What a reasoning model thought before it answered. A column instead of a table: rows of this table have null columns in any case, so one
-- more takes no room, while another insert would be part of the statement that ends every turn.
ALTER TABLE "messages" ADD COLUMN "reasoning" TEXT;
