import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { TRANSPORTS, useService } from './fixture.ts';
import { newBeginTurn, newCaller, nextBeginTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('calls outside the hot path, %s', (listen) => {
  const service = useService({ listen });

  const history = (conversationId: string, caller = service.client.caller, beforeTurnId = '') =>
    service.running.as(caller).listHistory({ conversationId, beforeTurnId });

  it('lists messages oldest first, with their parts', async () => {
    const parts = [
      { content: { $case: 'text', value: 'What\0 is \ud83d this?' } as const },
      { content: { $case: 'imageUrl', value: 'data:image/png;base64,AAAA' } as const },
    ];
    const messages = [
      { id: uuidv7(), role: 'system', text: 'Be brief', parts: [], files: [] },
      { id: uuidv7(), role: 'user', text: 'What is this?', parts, files: [] },
    ];
    const first = await service.client.turn(newBeginTurn({ messages }), { status: 'interrupted', text: 'A c' });
    const second = await service.client.turn(nextBeginTurn(first));
    const answer = await history(first.conversationId);
    expect(answer.messages).toEqual([
      { ...messages[0], status: 'completed' },
      {
        ...messages[1],
        parts: [
          { content: { $case: 'text', value: 'What is \ufffd this?' } },
          { content: { $case: 'imageUrl', value: 'data:image/png;base64,AAAA' } },
        ],
        status: 'completed',
      },
      { id: first.assistantMessageId, role: 'assistant', text: 'A c', parts: [], files: [], status: 'interrupted' },
      { id: second.messages[0]?.id, role: 'user', text: 'Hello', parts: [], files: [], status: 'completed' },
      { id: second.assistantMessageId, role: 'assistant', text: 'Hi there', parts: [], files: [], status: 'completed' },
    ]);
  });

  it('lists the messages before a turn', async () => {
    const first = await service.client.turn(newBeginTurn());
    const second = await service.client.turn(nextBeginTurn(first));
    await service.client.begin(nextBeginTurn(second));
    const texts = async (beforeTurnId: string) =>
      (await history(first.conversationId, service.client.caller, beforeTurnId)).messages.map(({ text }) => text);
    await expect(texts(second.turnId)).resolves.toEqual(['Hello', 'Hi there']);
    await expect(texts(first.turnId)).resolves.toEqual([]);
    const everything = ['Hello', 'Hi there', 'Hello', 'Hi there', 'Hello'];
    await expect(texts('')).resolves.toEqual(everything);
    await expect(texts(uuidv7())).resolves.toEqual(everything);
    const elsewhere = await service.client.turn(newBeginTurn());
    await expect(texts(elsewhere.turnId)).resolves.toEqual(everything);
  });

  it('rejects a conversation that does not exist or belongs to another key', async () => {
    const first = await service.client.turn(newBeginTurn());
    await expect(history(uuidv7())).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    await expect(history('x')).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    await expect(history(first.conversationId, newCaller())).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
  });

  it('marks continuity, for the owner and for a service on its own behalf', async () => {
    const { conversationId } = await service.client.turn(newBeginTurn());
    await service.running.stub.setContinuity({ conversationId, status: 'continuity_lost' }, { caller: service.client.caller });
    await expect(service.client.open(conversationId)).resolves.toMatchObject({ continuityStatus: 'continuity_lost' });
    await service.running.stub.setContinuity({ conversationId, status: 'available' }, { caller: SYSTEM_CALLER });
    await expect(service.client.open(conversationId)).resolves.toMatchObject({ continuityStatus: 'available' });
    const denied = service.running.stub.setContinuity({ conversationId, status: 'access_lost' }, { caller: newCaller() });
    await expect(denied).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    const unknown = service.running.stub.setContinuity({ conversationId, status: 'fine' }, { caller: service.client.caller });
    await expect(unknown).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'status' });
  });

  it('clears only statuses of the recovered connection', async () => {
    const statuses = [
      'session_expired',
      'upstream_unavailable',
      'deleted_upstream',
      'access_lost',
      'continuity_lost',
      'project_unavailable',
    ];
    const account = uuidv7();
    const on = async (upstreamAccountId: string, status: string) => {
      const newConversation = { title: '', upstreamAccountId, upstreamProjectId: '', model: 'auto' };
      const { conversationId } = await service.client.turn(newBeginTurn({ newConversation }));
      await service.running.stub.setContinuity({ conversationId, status }, { caller: service.client.caller });
      return conversationId;
    };
    const mine = await Promise.all(statuses.map((status) => on(account, status)));
    const other = await on(uuidv7(), 'session_expired');
    await service.running.stub.clearContinuity({ upstreamAccountId: account }, { caller: SYSTEM_CALLER });
    const after = await Promise.all([...mine, other].map(async (id) => (await service.client.open(id)).continuityStatus));
    expect(after).toEqual(['available', 'available', ...statuses.slice(2), 'session_expired']);
  });
});
