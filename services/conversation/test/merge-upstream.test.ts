import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type UpstreamMessage } from '@parley/protos/conversation/v1/resource';
import { upstreamMessage } from './conversation-client.ts';
import { TRANSPORTS, useService } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newBeginTurn, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('merging the state of the upstream, %s', (listen) => {
  const service = useService({ listen, bus: createRecordingBus() });

  /** A conversation of one turn, and its messages at the upstream. */
  async function one() {
    const first = await service.client.turn(newBeginTurn());
    const of = { clientTurnId: first.turnId };
    const branch = [
      upstreamMessage('u-1', { ...of, text: 'Hello' }),
      upstreamMessage('u-2', { ...of, role: 'assistant', text: 'Hi there' }),
    ];
    return { first, id: first.conversationId, branch };
  }

  const added = (upstreamId: string, over: Partial<UpstreamMessage> = {}) =>
    upstreamMessage(upstreamId, { role: 'assistant', model: 'm-9', ...over });

  it('recognizes the messages of its own turns', async () => {
    const { id, branch } = await one();
    const before = await service.conversations.messages(id);
    const merged = await service.conversations.merge(id, branch);
    expect(merged).toMatchObject({ messageCount: 2 });
    await expect(service.conversations.messages(id)).resolves.toEqual(before);
    await expect(service.conversations.merge(id, branch)).resolves.toEqual(merged);
  });

  it('adds messages once, at their position, under permanent ids', async () => {
    const { first, id, branch } = await one();
    const createdAt = new Date('2026-01-02T03:04:05.678Z');
    const longer = [...branch, added('u-3', { text: 'By the way', createdAt })];
    await expect(service.conversations.merge(id, longer)).resolves.toMatchObject({ messageCount: 3 });
    const messages = await service.conversations.messages(id);
    expect(messages[2]).toMatchObject({
      role: 'assistant',
      status: 'completed',
      content: 'By the way',
      model: 'm-9',
      createdAt,
      usage: undefined,
    });
    const state = await service.conversations.get(id);
    await service.conversations.merge(id, longer);
    await expect(service.conversations.get(id)).resolves.toEqual(state);
    const second = await service.client.turn(nextBeginTurn(first), { text: 'Second' });
    const answered = [...longer, upstreamMessage('u-4', { text: 'Hello', clientTurnId: second.turnId })];
    await service.conversations.merge(id, [
      ...answered,
      added('u-5', { text: 'Second', clientTurnId: second.turnId }),
      added('u-6', { createdAt: new Date('2999-01-01') }),
    ]);
    await expect(service.conversations.said(id)).resolves.toEqual([
      'user: Hello',
      'assistant: Hi there',
      'assistant: By the way',
      'user: Hello',
      'assistant: Second',
      'assistant: u-6',
    ]);
    expect((await service.conversations.messages(id)).slice(0, 3)).toEqual(messages);
    const { conversation } = await service.conversations.get(id);
    expect(conversation?.messageCount).toBe(6);
    expect(conversation?.lastMessageAt?.getTime()).toBeLessThan(Date.now() + 60_000);
    await expect(service.client.history(id)).resolves.toHaveLength(6);
  });

  it('merges edits and insertions', async () => {
    const { id, branch } = await one();
    const [asked, answered] = branch as [UpstreamMessage, UpstreamMessage];
    const before = await service.conversations.messages(id);
    await service.conversations.merge(id, [asked, added('u-9'), { ...answered, text: 'Hi there, friend' }]);
    await expect(service.conversations.said(id)).resolves.toEqual(['user: Hello', 'assistant: u-9', 'assistant: Hi there, friend']);
    const after = await service.conversations.messages(id);
    expect([after[0]?.id, after[2]?.id]).toEqual(before.map((message) => message.id));
  });

  it('keeps the images of an edited message', async () => {
    const image = { content: { $case: 'imageUrl', value: 'data:image/png;base64,AAAA' } as const };
    const parts = [{ content: { $case: 'text', value: 'Old' } as const }, image];
    const first = await service.client.turn(newBeginTurn({ messages: [{ id: uuidv7(), role: 'user', text: 'Old', parts, files: [] }] }));
    const of = { clientTurnId: first.turnId };
    await service.conversations.merge(first.conversationId, [
      upstreamMessage('u-1', { ...of, text: 'New' }),
      added('u-2', { ...of, text: 'Hi there' }),
    ]);
    const { messages } = await service.client.listHistory({ conversationId: first.conversationId, beforeTurnId: '' });
    expect(messages[0]).toMatchObject({ text: 'New', parts: [{ content: { value: 'New' } }, image] });
  });

  it('removes missing messages and restores them under their ids', async () => {
    const { id, branch } = await one();
    const longer = [...branch, added('u-3')];
    await service.conversations.merge(id, longer);
    const before = await service.conversations.messages(id);
    await expect(service.conversations.merge(id, branch.slice(0, 1))).resolves.toMatchObject({ messageCount: 1 });
    await expect(service.conversations.said(id)).resolves.toEqual(['user: Hello']);
    await expect(service.conversations.message(before[2]?.id ?? '')).rejects.toMatchObject({ condition: 'MESSAGE_NOT_FOUND' });
    await expect(service.client.history(id)).resolves.toEqual(['user: Hello']);
    await expect(service.conversations.merge(id, [])).resolves.toMatchObject({ messageCount: 0, lastMessageAt: undefined });
    await service.conversations.merge(id, longer);
    await expect(service.conversations.messages(id)).resolves.toEqual(before);
  });

  it('keeps messages that the upstream never had', async () => {
    const error = { condition: 'PROVIDER_UNAVAILABLE', message: '' };
    const failed = await service.client.turn(newBeginTurn(), { status: 'failed', text: '', error });
    await service.conversations.merge(failed.conversationId, []);
    await expect(service.conversations.said(failed.conversationId)).resolves.toEqual(['user: Hello', 'assistant: ']);
    const imported = await service.conversations.import([{ role: 'user', text: 'Before' }]);
    await service.conversations.merge(imported.id, [added('u-1')]);
    await expect(service.conversations.said(imported.id)).resolves.toEqual(['user: Before', 'assistant: u-1']);
  });

  it('recognizes the answer of a repeated turn', async () => {
    const first = await service.client.turn(newBeginTurn(), { status: 'failed', text: 'half' });
    const id = first.conversationId;
    await service.client.turn(nextBeginTurn(first, { messages: [] }), { text: 'whole' });
    const of = { clientTurnId: first.turnId };
    const before = await service.conversations.messages(id);
    await expect(
      service.conversations.merge(id, [upstreamMessage('u-1', { ...of, text: 'Hello' }), added('u-2', { ...of, text: 'whole' })]),
    ).resolves.toMatchObject({ messageCount: 2 });
    await expect(service.conversations.messages(id)).resolves.toEqual(before);
  });

  it('ignores turns that began after the upstream was read, and running ones', async () => {
    const { first, id, branch } = await one();
    const second = await service.client.turn(nextBeginTurn(first));
    await service.conversations.merge(id, branch, { lastSequence: 1, upstreamState: 'older' });
    await expect(service.client.open(id)).resolves.not.toMatchObject({ upstreamState: 'older' });
    await expect(service.conversations.messages(id)).resolves.toHaveLength(4);
    const third = nextBeginTurn(second);
    await service.client.begin(third);
    const of = { clientTurnId: third.turnId };
    const seen = [...branch, upstreamMessage('u-5', { ...of, text: 'Hello' }), added('u-6', { ...of, text: 'Hi th' }), added('u-7')];
    await service.conversations.merge(id, seen, { lastSequence: 1 });
    await service.client.end(newEndTurn(third));
    await expect(service.conversations.said(id)).resolves.toEqual([
      ...Array.from({ length: 3 }, () => ['user: Hello', 'assistant: Hi there']).flat(),
      'assistant: u-7',
    ]);
    expect((await service.conversations.get(id)).conversation?.messageCount).toBe(7);
  });

  it('merges only the status unless available, and a sync makes it available again', async () => {
    const { id, branch } = await one();
    for (const [said, then] of [
      ['session_expired', 'session_expired'],
      ['deleted_upstream', 'deleted_upstream'],
      ['upstream_unavailable', 'deleted_upstream'],
      ['access_lost', 'access_lost'],
    ] as const) {
      await expect(service.conversations.merge(id, [], { continuityStatus: said })).resolves.toMatchObject({
        continuityStatus: then,
        messageCount: 2,
      });
    }
    await expect(service.conversations.merge(id, branch, { upstreamState: 's-2' })).resolves.toMatchObject({
      continuityStatus: 'available',
    });
    await expect(service.client.open(id)).resolves.toMatchObject({ upstreamState: 's-2', continuityStatus: 'available' });
    await service.conversations.merge(id, branch);
    await expect(service.client.open(id)).resolves.toMatchObject({ upstreamState: 's-2' });
  });

  it.each([
    ['status', 'continuity_status', [], { continuityStatus: 'fine' }],
    ['id', 'messages', [upstreamMessage('')], {}],
    ['role', 'messages', [upstreamMessage('u-1', { role: 'tool' })], {}],
  ])('refuses a bad %s', async (_name, param, messages, over) => {
    const { id } = await one();
    await expect(service.conversations.merge(id, messages, over)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
  });

  it('derives a title for a conversation that started upstream', async () => {
    const { id } = await service.conversations.create();
    await expect(service.conversations.merge(id, [upstreamMessage('u-1', { text: 'Where is *Rome*?' })])).resolves.toMatchObject({
      title: 'Where is Rome?',
    });
  });
});
