import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { TRANSPORTS, useService } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('beginning a turn, %s', (listen) => {
  const service = useService({ listen });

  async function stored(conversationId: string) {
    const { rows } = await service.fixture.sql.query<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [
      conversationId,
    ]);
    return rows[0];
  }

  it('commits the conversation, the turn and its messages', async () => {
    const start = newBeginTurn({
      newConversation: { title: 'Trip', upstreamAccountId: 'account-1', upstreamProjectId: '', model: 'auto' },
      messages: [
        { id: uuidv7(), role: 'system', text: 'Be "brief", {please} \\ é', parts: [], files: [] },
        { id: uuidv7(), role: 'user', text: 'Hello', parts: [], files: [] },
      ],
    });
    await expect(service.client.begin(start)).resolves.toMatchObject({ outcome: 'begun' });
    await expect(service.client.history(start.conversationId)).resolves.toEqual(['system: Be "brief", {please} \\ é', 'user: Hello']);
    await expect(stored(start.conversationId)).resolves.toMatchObject({
      workspace_id: service.client.caller.workspaceId,
      owner_key_id: service.client.caller.keyId,
      owner_user_id: service.client.caller.userId,
      title: 'Trip',
      status: 'active',
      destination_type: 'general',
      continuity_status: 'available',
      pinned: false,
    });
  });

  it('binds a conversation to its project', async () => {
    const start = newBeginTurn({
      newConversation: { title: '', upstreamAccountId: 'account-2', upstreamProjectId: 'project-1', model: 'm' },
    });
    await service.client.turn(start);
    await expect(service.client.open(start.conversationId)).resolves.toMatchObject({
      upstreamAccountId: 'account-2',
      upstreamProjectId: 'project-1',
      destinationType: 'project',
      model: 'm',
    });
  });

  it('begins once when repeated with the same turn id', async () => {
    const start = newBeginTurn();
    await service.client.begin(start);
    await expect(service.client.begin(start)).resolves.toMatchObject({ outcome: 'begun' });
    await expect(service.client.history(start.conversationId)).resolves.toEqual(['user: Hello']);
  });

  it('is busy while the previous turn is running, and for a used sequence', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await expect(service.client.begin(nextBeginTurn(first))).resolves.toMatchObject({ outcome: 'busy' });
    await expect(service.client.begin(nextBeginTurn(first, { sequence: 1 }))).resolves.toMatchObject({ outcome: 'busy' });
    await service.client.end(newEndTurn(first));
    await expect(service.client.begin(nextBeginTurn(first, { sequence: 1 }))).resolves.toMatchObject({ outcome: 'busy' });
    await expect(service.client.begin(nextBeginTurn(first, { sequence: 3 }))).resolves.toMatchObject({ outcome: 'busy' });
    await expect(service.client.begin(nextBeginTurn(first))).resolves.toMatchObject({ outcome: 'begun' });
  });

  it('returns the earlier turn for the same idempotency key and request', async () => {
    const request = { idempotencyKey: 'once', requestDigest: Buffer.from('digest') };
    const first = newBeginTurn(request);
    await service.client.begin(first);
    await service.client.savePartial(first.turnId, 'so far');
    await expect(service.client.begin(newBeginTurn(request))).resolves.toMatchObject({
      outcome: 'duplicate',
      earlier: { turnId: first.turnId, status: 'streaming', text: 'so far' },
    });
    await service.client.end(newEndTurn(first, { model: 'm-2' }));
    const again = await service.client.begin(nextBeginTurn(first, request));
    expect(again).toMatchObject({
      outcome: 'duplicate',
      earlier: {
        turnId: first.turnId,
        conversationId: first.conversationId,
        assistantMessageId: first.assistantMessageId,
        status: 'completed',
        text: 'Hi there',
        finishReason: 'stop',
        model: 'm-2',
        tokensIn: 3,
        tokensOut: 5,
      },
    });
    expect(again.earlier?.startedAt).toBeInstanceOf(Date);
    await expect(service.client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
  });

  it('returns the error of an earlier turn that failed', async () => {
    const request = { idempotencyKey: 'fails', requestDigest: Buffer.from('digest') };
    const error = { condition: 'PROVIDER_RATE_LIMITED', message: 'slow down', retryAfterMs: 2_000 };
    await service.client.turn(newBeginTurn(request), { status: 'failed', text: '', error });
    await expect(service.client.begin(newBeginTurn(request))).resolves.toMatchObject({
      outcome: 'duplicate',
      earlier: { status: 'failed', error },
    });
  });

  it.each(['failed', 'interrupted'] as const)(
    'lets the key of a turn that %s go, and finds the turn that repeats it from then on',
    async (status) => {
      const request = { idempotencyKey: `released-${status}`, requestDigest: Buffer.from('digest') };
      const init = { caller: service.client.caller };
      const first = await service.client.turn(newBeginTurn(request), { status, text: '', finishReason: '' });
      await service.running.stub.releaseIdempotencyKey({ turnId: first.turnId }, { caller: newCaller() });
      await expect(service.client.begin(newBeginTurn(request))).resolves.toMatchObject({
        outcome: 'duplicate',
        earlier: { turnId: first.turnId },
      });
      await service.running.stub.releaseIdempotencyKey({ turnId: first.turnId }, init);
      const repeat = await service.client.turn(nextBeginTurn(first, { ...request, messages: [] }));
      // The same request as the first one, without a conversation.
      const again = await service.client.begin(newBeginTurn(request));
      expect(again).toMatchObject({ outcome: 'duplicate', earlier: { turnId: repeat.turnId, status: 'completed' } });
      await service.running.stub.releaseIdempotencyKey({ turnId: repeat.turnId }, init);
      await expect(service.client.begin(newBeginTurn(request))).resolves.toMatchObject({ outcome: 'duplicate' });
    },
  );

  it('answers CONVERSATION_NOT_FOUND for a first turn whose conversation was deleted', async () => {
    const request = { idempotencyKey: 'deleted', requestDigest: Buffer.from('digest') };
    const { conversationId } = await service.client.turn(newBeginTurn(request));
    await service.running.stub.deleteConversation({ conversationId }, { caller: service.client.caller });
    await expect(service.client.begin(newBeginTurn(request))).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
  });

  it('rejects an idempotency key that was used with another request', async () => {
    await service.client.begin(newBeginTurn({ idempotencyKey: 'reused', requestDigest: Buffer.from('one') }));
    const other = newBeginTurn({ idempotencyKey: 'reused', requestDigest: Buffer.from('two') });
    await expect(service.client.begin(other)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'Idempotency-Key' });
    await expect(stored(other.conversationId)).resolves.toBeUndefined();
  });

  it('separates idempotency keys of different API keys', async () => {
    const request = { idempotencyKey: 'mine', requestDigest: Buffer.from('digest') };
    await service.client.begin(newBeginTurn(request));
    await expect(service.running.as(newCaller()).begin(newBeginTurn(request))).resolves.toMatchObject({ outcome: 'begun' });
  });

  it('never adds a turn to a conversation of another key', async () => {
    const first = await service.client.turn(newBeginTurn());
    const stranger = service.running.as(newCaller());
    const colleague = service.running.as(newCaller({ workspaceId: service.client.caller.workspaceId }));
    for (const other of [stranger, colleague]) {
      const denied = { condition: 'CONVERSATION_ACCESS_DENIED' };
      await expect(other.begin(nextBeginTurn(first))).rejects.toMatchObject(denied);
      const { newConversation } = newBeginTurn();
      await expect(other.begin(newBeginTurn({ conversationId: first.conversationId, newConversation }))).rejects.toMatchObject(denied);
    }
    await expect(service.client.open(first.conversationId)).resolves.toMatchObject({ lastSequence: 1 });
  });

  it('rejects a conversation that does not exist or was deleted', async () => {
    const missing = { condition: 'CONVERSATION_NOT_FOUND' };
    await expect(service.client.begin(nextBeginTurn(newBeginTurn()))).rejects.toMatchObject(missing);
    const first = await service.client.turn(newBeginTurn());
    await service.fixture.sql.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [first.conversationId]);
    await expect(service.client.begin(nextBeginTurn(first))).rejects.toMatchObject(missing);
  });

  it.each([
    ['turnId', { turnId: 'x' }],
    ['runnerId', { runnerId: '' }],
    ['sequence 0', { sequence: 0 }],
    ['sequence of a new conversation', { sequence: 2 }],
    ['role', { messages: [{ id: uuidv7(), role: 'tool', text: '', parts: [], files: [] }] }],
    ['idempotency key', { idempotencyKey: 'k'.repeat(256) }],
  ])('refuses a bad %s', async (_name, over) => {
    await expect(service.client.begin(newBeginTurn(over))).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
  });

  it('rejects a caller without a key', async () => {
    await expect(service.running.as(SYSTEM_CALLER).begin(newBeginTurn())).rejects.toMatchObject({
      condition: 'CONVERSATION_ACCESS_DENIED',
    });
  });
});
