import { type BinaryValue, copyRows, encodeInt4, encodeUuid } from '@parley/kit/db/copy-rows';
import { transaction } from '@parley/kit/db/pool';
import { encodePieces } from '@parley/kit/text/encode-pieces';
import { toJsonPieces, splitIntoPieces } from '@parley/kit/text/json-pieces';
import { DatabaseError, type Pool } from 'pg';
import { type StoredPart } from '../domain/message-parts.ts';
import { type NewTurn, type TurnMessage } from '../domain/turn.ts';
import { toMessageColumns, insertTurns } from './begin-turns.ts';
import { findTurn } from './turn-records.ts';

/** Size of messages in characters up to which a turn is written in a shared statement with other turns. */
const LARGE = 512 * 1_024;
/** Time limit of the transaction: less than the margin of a minute that the reaper leaves for uncommitted starts. */
const MAX_MS = 20_000;

const MESSAGES = 'messages (id, conversation_id, turn_id, sequence, position, role, content, parts)';
/** The binary form of `jsonb` is this version and the text. */
const JSONB_VERSION = Buffer.from([1]);

/** PostgreSQL error code (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const UNIQUE_VIOLATION = '23505';

/** True for a turn whose messages are too large for a shared statement; `beginLargeTurn` writes it. */
export function needsLargeTransaction({ messages }: NewTurn): boolean {
  let size = 0;
  for (const message of messages) if ((size += sizeOf(message)) > LARGE) return true;
  return false;
}

/**
 * Writes a turn like `beginTurns`, in one transaction that copies its messages in pieces; false when the turn may not begin or already
 * exists. The turn itself is written last, so that its unique keys, which starts of other turns may wait for, are locked for one statement.
 * @throws GatewayError SERVICE_UNAVAILABLE after `MAX_MS`; then nothing is written.
 */
export async function beginLargeTurn(pool: Pool, turn: NewTurn): Promise<boolean> {
  try {
    await transaction(pool, async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${MAX_MS}`);
      await copyRows(client, MESSAGES, toRows(turn), MAX_MS);
      const begun = await insertTurns(client, [turn], toMessageColumns([]));
      if (!begun.has(turn.turnId)) throw new NotBegun();
    });
    return true;
  } catch (error) {
    if (error instanceof NotBegun || (isDuplicate(error) && (await findTurn(pool, turn.turnId)))) return false;
    throw error;
  }
}

/** Thrown to roll back the messages of a turn that may not begin. */
class NotBegun extends Error {}

/** True when a message id already exists: of this turn, whose start is repeated, or of another turn. */
function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION;
}

async function* toRows(turn: NewTurn): AsyncGenerator<BinaryValue[]> {
  const [conversationId, turnId, sequence] = [[encodeUuid(turn.conversationId)], [encodeUuid(turn.turnId)], [encodeInt4(turn.sequence)]];
  for (const [position, { id, role, content, parts }] of turn.messages.entries()) {
    const text = await encodePieces(splitIntoPieces(content));
    yield [
      [encodeUuid(id)],
      conversationId,
      turnId,
      sequence,
      [encodeInt4(position)],
      [Buffer.from(role)],
      text,
      parts && (await toJsonb(parts)),
    ];
  }
}

async function toJsonb(parts: readonly StoredPart[]): Promise<Buffer[]> {
  return [JSONB_VERSION, ...(await encodePieces(toJsonPieces(parts)))];
}

function sizeOf({ content, parts }: TurnMessage): number {
  return content.length + (parts ?? []).reduce((size, part) => size + sizeOfPart(part), 0);
}

function sizeOfPart(part: StoredPart): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'image_url':
      return part.image_url.url.length;
    case 'file':
      return 0;
  }
}
