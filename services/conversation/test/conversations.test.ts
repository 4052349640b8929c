import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import type { Listen } from '@parley/kit/rpc/serve';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { ConversationClient } from './conversation-client.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const TRANSPORTS: Listen[] = ['in-process', '127.0.0.1:0'];
const MISSING = { condition: 'CONVERSATION_NOT_FOUND' };

describe.each(TRANSPORTS)('the conversation resource, %s', (listen) => {
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  let mine: ConversationClient;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ listen, bus: createRecordingBus() });
    client = running.as(newCaller());
    mine = new ConversationClient(running, client.caller);
  });
  afterAll(() => fixture.close());

  it('is created without messages, once per id', async () => {
    const conversationId = uuidv7();
    const created = await mine.create({ conversationId, title: 'Trip', upstreamProjectId: 'project-1', model: 'm-1' });
    expect(created).toMatchObject({
      ...{ id: conversationId, status: 'active', title: 'Trip', upstreamAccountId: 'account-1', upstreamProjectId: 'project-1' },
      ...{ destinationType: 'project', model: 'm-1', pinned: false, continuityStatus: 'available', messageCount: 0 },
      ...{ lastMessageAt: undefined, ownerUserId: client.caller.userId },
    });
    await expect(mine.create({ conversationId, title: 'Other' })).resolves.toEqual(created);
    await expect(new ConversationClient(running, newCaller()).create({ conversationId })).rejects.toMatchObject({
      condition: 'CONVERSATION_ACCESS_DENIED',
    });
    await expect(new ConversationClient(running, SYSTEM_CALLER).create()).rejects.toMatchObject({
      condition: 'CONVERSATION_ACCESS_DENIED',
    });
    await expect(mine.create({ conversationId: 'x' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'conversation_id' });
  });

  it('starts with the first turn that continues it', async () => {
    const { id } = await mine.create();
    await client.turn(nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 })));
    await expect(mine.said(id)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    const { conversation } = await mine.get(id);
    expect(conversation).toMatchObject({ messageCount: 2 });
    expect(conversation?.lastMessageAt).toBeInstanceOf(Date);
  });

  it('is renamed and pinned, and unchanged without either', async () => {
    const before = await mine.create();
    await expect(mine.update(before.id, {})).resolves.toEqual(before);
    await expect(mine.update(before.id, { title: 'New', pinned: true })).resolves.toMatchObject({ title: 'New', pinned: true });
    await expect(mine.update(before.id, { pinned: false })).resolves.toMatchObject({ title: 'New', pinned: false });
  });

  it('is archived and restored', async () => {
    const { id } = await mine.create();
    await expect(mine.archive(id)).resolves.toMatchObject({ status: 'archived' });
    await expect(mine.archive(id)).resolves.toMatchObject({ status: 'archived' });
    await expect(mine.restore(id)).resolves.toMatchObject({ status: 'active' });
  });

  it('is not found by any operation once deleted', async () => {
    const first = await client.turn(newBeginTurn());
    const { conversationId: id } = first;
    const [said] = await mine.messages(id);
    await mine.delete(id);
    const user = uuidv7();
    for (const ask of [
      ...[() => mine.get(id), () => mine.delete(id), () => mine.update(id, { title: 'x' }), () => mine.archive(id), () => mine.restore(id)],
      ...[() => mine.messages(id), () => mine.message(said?.id ?? ''), () => mine.merge(id, []), () => mine.share(id, user, 'viewer')],
      ...[() => mine.transfer(id, user), () => mine.participants(id), () => mine.updateParticipant(id, user, 'viewer')],
      ...[() => mine.removeParticipant(id, user), () => mine.setContinuity(id, 'available'), () => client.begin(nextBeginTurn(first))],
    ]) {
      await expect(ask()).rejects.toMatchObject(MISSING);
    }
    expect((await mine.list()).conversations.map((conversation) => conversation.id)).not.toContain(id);
  });

  it.each(['x', '', uuidv7()])('is not found by the id %j', async (id) => {
    for (const ask of [() => mine.get(id), () => mine.messages(id), () => mine.archive(id), () => mine.participants(id)]) {
      await expect(ask()).rejects.toMatchObject(MISSING);
    }
    await expect(mine.message(id)).rejects.toMatchObject({ condition: 'MESSAGE_NOT_FOUND' });
  });

  it('lists messages with usage, errors and times', async () => {
    const first = await client.turn(newBeginTurn(), { model: 'm-2' });
    const error = { condition: 'PROVIDER_TIMEOUT', message: 'late', retryAfterMs: 2_000 };
    const second = await client.turn(nextBeginTurn(first), { status: 'failed', text: 'so f', error, tokensIn: 1, tokensOut: 0 });
    const messages = await mine.messages(first.conversationId);
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
      await expect(mine.message(message.id.toUpperCase())).resolves.toEqual(message);
    }
  });

  it('lists the partial text of a running answer', async () => {
    const first = newBeginTurn();
    await client.begin(first);
    await client.savePartial(first.turnId, 'Once upon');
    const streaming = {
      id: first.assistantMessageId,
      role: 'assistant',
      status: 'streaming',
      content: 'Once upon',
      usage: undefined,
      completedAt: undefined,
    };
    await expect(mine.messages(first.conversationId)).resolves.toMatchObject([{ content: 'Hello' }, streaming]);
    await expect(mine.message(first.assistantMessageId)).resolves.toMatchObject(streaming);
    await client.end(newEndTurn(first));
    await expect(mine.message(first.assistantMessageId)).resolves.toMatchObject({ status: 'completed', content: 'Hi there' });
    await expect(mine.message(uuidv7())).rejects.toMatchObject({ condition: 'MESSAGE_NOT_FOUND' });
  });

  it('closes an abandoned turn before it returns its answer', async () => {
    const first = newBeginTurn();
    await client.begin(first);
    await fixture.ageRows('2 minutes');
    await expect(mine.messages(first.conversationId)).resolves.toMatchObject([{}, { status: 'interrupted' }]);
  });

  it('lists and counts one answer of a repeated turn', async () => {
    const first = await client.turn(newBeginTurn(), { status: 'failed', text: '', finishReason: 'error' });
    const again = nextBeginTurn(first, { messages: [] });
    await client.begin(again);
    await expect(mine.messages(first.conversationId)).resolves.toMatchObject([
      { role: 'user' },
      { id: again.assistantMessageId, status: 'streaming' },
    ]);
    await client.end(newEndTurn(again));
    await expect(mine.said(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    expect((await mine.get(first.conversationId)).conversation?.messageCount).toBe(2);
  });

  it('is imported with its messages, under the title of what was said first', async () => {
    const messages = [
      { role: 'system', text: 'Be brief' },
      { role: 'user', text: '**Where** is\nRome?' },
      { role: 'assistant', text: 'In\0 Italy' },
    ];
    const conversationId = uuidv7();
    const imported = await mine.import(messages, { conversationId });
    expect(imported).toMatchObject({ title: 'Where is Rome?', messageCount: 3 });
    await expect(mine.import(messages, { conversationId })).resolves.toEqual(imported);
    await expect(mine.said(imported.id)).resolves.toEqual(['system: Be brief', 'user: **Where** is\nRome?', 'assistant: In Italy']);
    await expect(mine.search('in italy')).resolves.toEqual([imported.id]);
    await client.turn(nextBeginTurn(newBeginTurn({ conversationId, sequence: 0 })));
    await expect(client.history(conversationId)).resolves.toHaveLength(5);
    await expect(mine.import([{ role: 'tool', text: '' }])).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'messages' });
  });

  it('is not confused with one that a rejected request has opened', async () => {
    const { id } = await mine.create();
    const requestDigest = Buffer.from(uuidv7());
    const refused = { status: 'failed', text: '', finishReason: '', error: { condition: 'PROVIDER_UNAVAILABLE', message: '' } } as const;
    await client.turn(nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 }), { requestDigest, idempotencyKey: 'k-1' }), refused);
    const recalled = await running.stub.recallTurn({ which: { $case: 'refusedDigest', value: requestDigest } }, { caller: client.caller });
    expect(recalled.turn).toBeUndefined();
    await expect(client.begin(newBeginTurn({ requestDigest, idempotencyKey: 'k-1' }))).rejects.toMatchObject({ param: 'Idempotency-Key' });
  });
});
