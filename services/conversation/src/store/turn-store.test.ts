import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import type { Pool } from 'pg';
import { toClosingTurn } from '../domain/turn-ended-event.ts';
import { NO_TURN_TIMES, type NewTurn, type TurnEnd } from '../domain/turn.ts';
import { DEFAULT_ABANDONMENT_LIMITS } from './abandonment-limits.ts';
import { openTurnStore } from './turn-store.ts';

type Statement = string | { name: string; values: Buffer[] };

/** A database that accepts every turn and records the statements. */
function recordingPool(turnId: string) {
  const statements: string[] = [];
  const query = async (statement: Statement) => {
    statements.push(typeof statement === 'string' ? statement : statement.name);
    return { rows: [{ id: turnId, turn_id: turnId }] };
  };
  const pool = { query, connect: async () => ({ query, release: () => undefined }) };
  return { statements, pool: pool as unknown as Pool };
}

const turn: NewTurn = {
  ...{ turnId: uuidv7(), conversationId: uuidv7(), sequence: 1, workspaceId: uuidv7(), keyId: uuidv7(), userId: null, requestId: '' },
  ...{ assistantMessageId: uuidv7(), model: 'auto', upstreamAccountId: 'a', runnerId: uuidv7(), idempotencyKey: null, requestDigest: null },
  newConversation: {
    title: '',
    upstreamAccountId: 'a',
    upstreamProjectId: null,
    model: 'auto',
    createdEvent: { id: uuidv7(), subject: 's', payload: Buffer.alloc(0) },
  },
  messages: [{ id: uuidv7(), role: 'user', content: 'Hello', parts: null }],
};
const { turnId, conversationId, assistantMessageId, workspaceId, keyId } = turn;
const end: TurnEnd = {
  ...{ turnId, conversationId, assistantMessageId, workspaceId, keyId, status: 'completed', text: 'Hi', finishReason: 'stop' },
  ...{ tokensIn: 1, tokensOut: 1, durationMs: 1, error: null, connectionId: 'a', model: 'auto', upstreamState: '', artifacts: [] },
  ...{ attempts: null, reasoning: null, times: NO_TURN_TIMES, routeReason: null },
};
const artifact = { assetId: uuidv7(), assetType: 'image', fileName: '', mimeType: '', connectionId: 'a', reference: '' };

/** The statements of one turn. */
async function runTurn(artifacts: TurnEnd['artifacts']): Promise<string[]> {
  const { statements, pool } = recordingPool(turnId);
  const turns = openTurnStore(pool, DEFAULT_ABANDONMENT_LIMITS, { onEnded: () => undefined, onEvents: () => undefined });
  await expect(turns.begin(turn)).resolves.toBe(true);
  const ended = { ...end, artifacts };
  await expect(turns.end(toClosingTurn(ended, new Date()))).resolves.toBe(true);
  return statements;
}

describe('the statements of a turn', () => {
  it('are two for a turn without artifacts', async () => {
    await expect(runTurn([])).resolves.toEqual(['begin-turns', 'end-turns']);
  });

  it('end a turn with artifacts in a separate transaction', async () => {
    await expect(runTurn([artifact])).resolves.toEqual(['begin-turns', 'BEGIN', 'end-turns', 'keep-assets', 'COMMIT']);
  });
});
