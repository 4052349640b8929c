import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import type { Listen } from '@parley/kit/rpc/serve';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const TRANSPORTS: Listen[] = ['in-process', '127.0.0.1:0'];

describe.each(TRANSPORTS)('opening a conversation, %s', (listen) => {
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ listen });
    client = running.as(newCaller());
  });
  afterAll(() => fixture.close());

  async function stored(conversationId: string) {
    const { rows } = await fixture.sql.query<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [conversationId]);
    return rows[0];
  }

  it('returns the binding and the state of a conversation', async () => {
    const first = newBeginTurn();
    await client.begin(first);
    const binding = {
      conversationId: first.conversationId,
      upstreamAccountId: 'account-1',
      upstreamProjectId: '',
      destinationType: 'general',
      model: 'auto',
      continuityStatus: 'available',
      upstreamState: '',
      lastSequence: 1,
      busy: true,
      started: true,
      accountNamed: false,
      lastTurn: {
        ...{ turnId: first.turnId, status: 'streaming', requestDigest: expect.anything(), askedTurnId: first.turnId },
        failedAccountIds: [],
      },
    };
    await expect(client.open(first.conversationId)).resolves.toEqual(binding);
    await client.end(newEndTurn(first, { upstreamState: 's' }));
    await expect(client.open(first.conversationId.toUpperCase())).resolves.toEqual({
      ...binding,
      busy: false,
      upstreamState: 's',
      lastTurn: { ...binding.lastTurn, status: 'completed', endedAt: expect.any(Date) },
    });
  });

  it('continues an archived conversation', async () => {
    const first = await client.turn(newBeginTurn());
    await fixture.sql.query("UPDATE conversations SET status = 'archived' WHERE id = $1", [first.conversationId]);
    await client.turn(nextBeginTurn(first));
    await expect(stored(first.conversationId)).resolves.toMatchObject({ status: 'archived', message_count: 4 });
  });

  it('rejects a conversation that does not exist, was deleted, or belongs to another key', async () => {
    const first = await client.turn(newBeginTurn());
    const missing = { condition: 'CONVERSATION_NOT_FOUND' };
    await expect(client.open(uuidv7())).rejects.toMatchObject(missing);
    await expect(client.open('not-a-uuid')).rejects.toMatchObject(missing);
    for (const other of [
      newCaller(),
      newCaller({ workspaceId: client.caller.workspaceId }),
      newCaller({ keyId: client.caller.keyId }),
      SYSTEM_CALLER,
    ]) {
      await expect(running.as(other).open(first.conversationId)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    }
    await fixture.sql.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [first.conversationId]);
    await expect(client.open(first.conversationId)).rejects.toMatchObject(missing);
  });
});
