import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { ConversationClient } from './conversation-client.ts';
import { TRANSPORTS, useService } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const MISSING = { condition: 'CONVERSATION_NOT_FOUND' };

describe.each(TRANSPORTS)('the conversation resource, %s', (listen) => {
  const service = useService({ listen, bus: createRecordingBus() });

  it('is created without messages, once per id', async () => {
    const conversationId = uuidv7();
    const created = await service.conversations.create({ conversationId, title: 'Trip', upstreamProjectId: 'project-1', model: 'm-1' });
    expect(created).toMatchObject({
      ...{ id: conversationId, status: 'active', title: 'Trip', upstreamAccountId: 'account-1', upstreamProjectId: 'project-1' },
      ...{ destinationType: 'project', model: 'm-1', pinned: false, continuityStatus: 'available', messageCount: 0 },
      ...{ lastMessageAt: undefined, ownerUserId: service.client.caller.userId },
    });
    await expect(service.conversations.create({ conversationId, title: 'Other' })).resolves.toEqual(created);
    await expect(new ConversationClient(service.running, newCaller()).create({ conversationId })).rejects.toMatchObject({
      condition: 'CONVERSATION_ACCESS_DENIED',
    });
    await expect(new ConversationClient(service.running, SYSTEM_CALLER).create()).rejects.toMatchObject({
      condition: 'CONVERSATION_ACCESS_DENIED',
    });
    await expect(service.conversations.create({ conversationId: 'x' })).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'conversation_id',
    });
  });

  it('starts with the first turn that continues it', async () => {
    const { id } = await service.conversations.create();
    await service.client.turn(nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 })));
    await expect(service.conversations.said(id)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    const { conversation } = await service.conversations.get(id);
    expect(conversation).toMatchObject({ messageCount: 2 });
    expect(conversation?.lastMessageAt).toBeInstanceOf(Date);
  });

  it('is renamed and pinned, and unchanged without either', async () => {
    const before = await service.conversations.create();
    await expect(service.conversations.update(before.id, {})).resolves.toEqual(before);
    await expect(service.conversations.update(before.id, { title: 'New', pinned: true })).resolves.toMatchObject({
      title: 'New',
      pinned: true,
    });
    await expect(service.conversations.update(before.id, { pinned: false })).resolves.toMatchObject({ title: 'New', pinned: false });
  });

  it('is archived and restored', async () => {
    const { id } = await service.conversations.create();
    await expect(service.conversations.archive(id)).resolves.toMatchObject({ status: 'archived' });
    await expect(service.conversations.archive(id)).resolves.toMatchObject({ status: 'archived' });
    await expect(service.conversations.restore(id)).resolves.toMatchObject({ status: 'active' });
  });

  it('is not found by any operation once deleted', async () => {
    const first = await service.client.turn(newBeginTurn());
    const { conversationId: id } = first;
    const [said] = await service.conversations.messages(id);
    await service.conversations.delete(id);
    const user = uuidv7();
    for (const ask of [
      ...[
        () => service.conversations.get(id),
        () => service.conversations.delete(id),
        () => service.conversations.update(id, { title: 'x' }),
        () => service.conversations.archive(id),
        () => service.conversations.restore(id),
      ],
      ...[
        () => service.conversations.messages(id),
        () => service.conversations.message(said?.id ?? ''),
        () => service.conversations.merge(id, []),
        () => service.conversations.share(id, user, 'viewer'),
      ],
      ...[
        () => service.conversations.transfer(id, user),
        () => service.conversations.participants(id),
        () => service.conversations.updateParticipant(id, user, 'viewer'),
      ],
      ...[
        () => service.conversations.removeParticipant(id, user),
        () => service.conversations.setContinuity(id, 'available'),
        () => service.client.begin(nextBeginTurn(first)),
      ],
    ]) {
      await expect(ask()).rejects.toMatchObject(MISSING);
    }
    expect((await service.conversations.list()).conversations.map((conversation) => conversation.id)).not.toContain(id);
  });

  it.each(['x', '', uuidv7()])('is not found by the id %j', async (id) => {
    for (const ask of [
      () => service.conversations.get(id),
      () => service.conversations.messages(id),
      () => service.conversations.archive(id),
      () => service.conversations.participants(id),
    ]) {
      await expect(ask()).rejects.toMatchObject(MISSING);
    }
    await expect(service.conversations.message(id)).rejects.toMatchObject({ condition: 'MESSAGE_NOT_FOUND' });
  });

  it('lists messages with usage, errors and times', async () => {
    const first = await service.client.turn(newBeginTurn(), { model: 'm-2' });
    const error = { condition: 'PROVIDER_TIMEOUT', message: 'late', retryAfterMs: 2_000 };
    const second = await service.client.turn(nextBeginTurn(first), { status: 'failed', text: 'so f', error, tokensIn: 1, tokensOut: 0 });
    const messages = await service.conversations.messages(first.conversationId);
    expect(messages).toMatchObject([
      { id: first.messages[0]?.id, role: 'user', status: 'completed', content: 'Hello', model: '', usage: undefined, error: undefined },
      {
        id: first.assistantMessageId,
        role: 'assistant',
        status: 'completed',
        content: 'Hi there',
        model: 'm-2',
        usage: { tokensIn: 3, tokensOut: 5 },
      },
      { id: second.messages[0]?.id, role: 'user', status: 'completed' },
      { id: second.assistantMessageId, status: 'failed', content: 'so f', error, usage: { tokensIn: 1, tokensOut: 0 } },
    ]);
    for (const message of messages) {
      expect(message.conversationId).toBe(first.conversationId);
      expect(message.completedAt?.getTime()).toBeGreaterThanOrEqual(message.createdAt?.getTime() ?? Number.POSITIVE_INFINITY);
      await expect(service.conversations.message(message.id.toUpperCase())).resolves.toEqual(message);
    }
  });

  it('lists the partial text of a running answer', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await service.client.savePartial(first.turnId, 'Once upon');
    const streaming = {
      id: first.assistantMessageId,
      role: 'assistant',
      status: 'streaming',
      content: 'Once upon',
      usage: undefined,
      completedAt: undefined,
    };
    await expect(service.conversations.messages(first.conversationId)).resolves.toMatchObject([{ content: 'Hello' }, streaming]);
    await expect(service.conversations.message(first.assistantMessageId)).resolves.toMatchObject(streaming);
    await service.client.end(newEndTurn(first));
    await expect(service.conversations.message(first.assistantMessageId)).resolves.toMatchObject({
      status: 'completed',
      content: 'Hi there',
    });
    await expect(service.conversations.message(uuidv7())).rejects.toMatchObject({ condition: 'MESSAGE_NOT_FOUND' });
  });

  it('closes an abandoned turn before it returns its answer', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await service.fixture.ageRows('2 minutes');
    await expect(service.conversations.messages(first.conversationId)).resolves.toMatchObject([{}, { status: 'interrupted' }]);
  });

  it('lists and counts one answer of a repeated turn', async () => {
    const first = await service.client.turn(newBeginTurn(), { status: 'failed', text: '', finishReason: 'error' });
    const again = nextBeginTurn(first, { messages: [] });
    await service.client.begin(again);
    await expect(service.conversations.messages(first.conversationId)).resolves.toMatchObject([
      { role: 'user' },
      { id: again.assistantMessageId, status: 'streaming' },
    ]);
    await service.client.end(newEndTurn(again));
    await expect(service.conversations.said(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    expect((await service.conversations.get(first.conversationId)).conversation?.messageCount).toBe(2);
  });

  it('is imported with its messages, under the title of what was said first', async () => {
    const messages = [
      { role: 'system', text: 'Be brief' },
      { role: 'user', text: '**Where** is\nRome?' },
      { role: 'assistant', text: 'In\0 Italy' },
    ];
    const conversationId = uuidv7();
    const imported = await service.conversations.import(messages, { conversationId });
    expect(imported).toMatchObject({ title: 'Where is Rome?', messageCount: 3 });
    await expect(service.conversations.import(messages, { conversationId })).resolves.toEqual(imported);
    await expect(service.conversations.said(imported.id)).resolves.toEqual([
      'system: Be brief',
      'user: **Where** is\nRome?',
      'assistant: In Italy',
    ]);
    await expect(service.conversations.search('in italy')).resolves.toEqual([imported.id]);
    await service.client.turn(nextBeginTurn(newBeginTurn({ conversationId, sequence: 0 })));
    await expect(service.client.history(conversationId)).resolves.toHaveLength(5);
    await expect(service.conversations.import([{ role: 'tool', text: '' }])).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'messages',
    });
  });

  it('is not confused with one that a rejected request has opened', async () => {
    const { id } = await service.conversations.create();
    const requestDigest = Buffer.from(uuidv7());
    const refused = { status: 'failed', text: '', finishReason: '', error: { condition: 'PROVIDER_UNAVAILABLE', message: '' } } as const;
    await service.client.turn(
      nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 }), { requestDigest, idempotencyKey: 'k-1' }),
      refused,
    );
    const recalled = await service.running.stub.recallTurn(
      { which: { $case: 'refusedDigest', value: requestDigest } },
      { caller: service.client.caller },
    );
    expect(recalled.turn).toBeUndefined();
    await expect(service.client.begin(newBeginTurn({ requestDigest, idempotencyKey: 'k-1' }))).rejects.toMatchObject({
      param: 'Idempotency-Key',
    });
  });
});
