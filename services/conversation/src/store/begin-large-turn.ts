import { setImmediate as letOthersRun } from 'node:timers/promises';
import { transaction } from '@parley/kit/db/pool';
import type { Pool } from 'pg';
import { type NewTurn, type TurnMessage } from '../domain/turn.ts';
import { type PlacedMessage, toMessageColumns, writeTurns } from './begin-turns.ts';

/** Characters of messages that one statement writes; what a process encodes for it delays its other requests by a few milliseconds. */
const PORTION = 512 * 1_024;

const ADD_MESSAGES = `
INSERT INTO messages (id, conversation_id, turn_id, sequence, position, role, content, parts)
SELECT m.id, m.conversation_id, m.turn_id, m.sequence, m.position, m.role, m.content, m.parts::jsonb
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[])
  AS m (id, conversation_id, turn_id, sequence, position, role, content, parts)`;

/** True for a turn whose messages are more than one statement should write. */
export function isLarge({ messages }: NewTurn): boolean {
  let size = 0;
  for (const message of messages) if ((size += sizeOf(message)) > PORTION) return true;
  return false;
}

/** Writes a turn as `beginTurns` does, in one transaction that writes its messages a portion at a time. */
export function beginLargeTurn(pool: Pool, turn: NewTurn): Promise<boolean> {
  return transaction(pool, async (client) => {
    const begun = await writeTurns(client, [turn], toMessageColumns([]));
    if (!begun.has(turn.turnId)) return false;
    for (const portion of toPortions(turn)) {
      const values = toMessageColumns(portion);
      // Between the two copies of what may be one message of 19 MB.
      await letOthersRun();
      await client.query({ name: 'add-messages', text: ADD_MESSAGES, values });
    }
    return true;
  });
}

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
