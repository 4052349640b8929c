import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { TRANSPORTS, useService } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('opening a conversation, %s', (listen) => {
  const service = useService({ listen });

  async function stored(conversationId: string) {
    const { rows } = await service.fixture.sql.query<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [
      conversationId,
    ]);
    return rows[0];
  }

  it('returns the binding and the state of a conversation', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
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
    await expect(service.client.open(first.conversationId)).resolves.toEqual(binding);
    await service.client.end(newEndTurn(first, { upstreamState: 's' }));
    await expect(service.client.open(first.conversationId.toUpperCase())).resolves.toEqual({
      ...binding,
      busy: false,
      upstreamState: 's',
      lastTurn: { ...binding.lastTurn, status: 'completed', endedAt: expect.any(Date) },
    });
  });

  it('continues an archived conversation', async () => {
    const first = await service.client.turn(newBeginTurn());
    await service.fixture.sql.query("UPDATE conversations SET status = 'archived' WHERE id = $1", [first.conversationId]);
    await service.client.turn(nextBeginTurn(first));
    await expect(stored(first.conversationId)).resolves.toMatchObject({ status: 'archived', message_count: 4 });
  });

  it('rejects a conversation that does not exist, was deleted, or belongs to another key', async () => {
    const first = await service.client.turn(newBeginTurn());
    const missing = { condition: 'CONVERSATION_NOT_FOUND' };
    await expect(service.client.open(uuidv7())).rejects.toMatchObject(missing);
    await expect(service.client.open('not-a-uuid')).rejects.toMatchObject(missing);
    for (const other of [
      newCaller(),
      newCaller({ workspaceId: service.client.caller.workspaceId }),
      newCaller({ keyId: service.client.caller.keyId }),
      SYSTEM_CALLER,
    ]) {
      await expect(service.running.as(other).open(first.conversationId)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    }
    await service.fixture.sql.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [first.conversationId]);
    await expect(service.client.open(first.conversationId)).rejects.toMatchObject(missing);
  });
});
