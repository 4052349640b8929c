import { setImmediate as letOthersRun } from 'node:timers/promises';
import { transaction } from '@parley/kit/db/pool';
import { GatewayError } from '@parley/protos/errors';
import type { Pool } from 'pg';
import { type NewTurn, type TurnMessage } from '../domain/turn.ts';
import { type PlacedMessage, toMessageColumns, writeTurns } from './begin-turns.ts';

/** Characters of messages that one statement writes; what a process encodes for it delays its other requests by a few milliseconds. */
const PORTION = 512 * 1_024;

/** How long one portion may take; a message of 19 MB takes 5 s on a slow machine. */
const STATEMENT_MS = 10_000;
/** How long all portions may take together: less than the margin of a minute that the reaper leaves for what is not committed. */
const MAX_MS = 20_000;

const ADD_MESSAGES = `
INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content, parts)
SELECT m.id, m.conversation_id, m.turn_id, m.sequence, m.position, m.role, m.content, m.parts::jsonb
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[])
  AS m (id, conversation_id, turn_id, sequence, position, role, content, parts)
ON CONFLICT DO NOTHING`;

/** True for a turn whose messages are more than one statement should write. */
export function isLarge({ messages }: NewTurn): boolean {
  let size = 0;
  for (const message of messages) if ((size += sizeOf(message)) > PORTION) return true;
  return false;
}

/**
 * Writes a turn as `beginTurns` does, in one transaction that writes its messages a portion at a time. The turn itself is written last: its
 * unique keys, for which a start of another turn waits, are locked for one statement only.
 * @throws GatewayError SERVICE_UNAVAILABLE after `MAX_MS`; then nothing is written.
 */
export async function beginLargeTurn(pool: Pool, turn: NewTurn): Promise<boolean> {
  const giveUpAt = performance.now() + MAX_MS;
  try {
    await transaction(pool, async (client) => {
      await client.query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
      let written = 0;
      for (const portion of toPortions(turn)) {
        const statement = { name: 'add-messages', text: ADD_MESSAGES, values: toMessageColumns(portion), query_timeout: STATEMENT_MS };
        // Between the two copies of what may be one message of 19 MB.
        await letOthersRun();
        written += (await client.query(statement)).rowCount ?? 0;
        if (performance.now() > giveUpAt) throw new GatewayError('SERVICE_UNAVAILABLE', 'the database is too slow for a turn of this size');
      }
      const begun = await writeTurns(client, [turn], toMessageColumns([]));
      if (!begun.has(turn.turnId)) throw new NotBegun();
      if (written < turn.messages.length) throw new GatewayError('INTERNAL_ERROR', 'a message of the turn belongs to another turn');
    });
    return true;
  } catch (error) {
    if (error instanceof NotBegun) return false;
    throw error;
  }
}

/** Rolls the messages of a turn back that may not begin, or exists already. */
class NotBegun extends Error {}

/** The messages of a turn in portions; one that is larger than a portion is alone in its own. */
function* toPortions(turn: NewTurn): Generator<PlacedMessage[]> {
  let portion: PlacedMessage[] = [];
  let size = 0;
  for (const [position, message] of turn.messages.entries()) {
    size += sizeOf(message);
    if (size > PORTION && portion.length > 0) {
      yield portion;
      portion = [];
      size = sizeOf(message);
    }
    portion.push({ turn, message, position });
  }
  if (portion.length > 0) yield portion;
}

function sizeOf({ content, parts }: TurnMessage): number {
  return content.length + (parts?.length ?? 0);
}
