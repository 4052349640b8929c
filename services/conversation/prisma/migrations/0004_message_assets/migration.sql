-- What upstreams made in their answers. A row comes with the end of its turn or with the news that its asset is done, whichever is first;
-- a message is `processing_assets` while one of its rows is not done, which nobody has to write into the message.
CREATE TABLE "message_assets" (
  "asset_id" UUID NOT NULL,
  "message_id" UUID NOT NULL,
  "conversation_id" UUID NOT NULL,
  -- Its place among what the turn made.
  "position" INTEGER NOT NULL DEFAULT 0,
  -- Ready or failed, once; a retry does not open the message again.
  "done" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "message_assets_pkey" PRIMARY KEY ("asset_id")
);
CREATE INDEX "message_assets_conversation_id_message_id_idx" ON "message_assets" ("conversation_id", "message_id");
