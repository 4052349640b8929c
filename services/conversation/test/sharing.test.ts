import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { ConversationClient } from './conversation-client.ts';
import { TRANSPORTS, useService } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newBeginTurn, newCaller, nextBeginTurn } from './turn-client.ts';

const DENIED = { condition: 'CONVERSATION_ACCESS_DENIED' };

describe.each(TRANSPORTS)('sharing a conversation, %s', (listen) => {
  const service = useService({ listen, bus: createRecordingBus() });

  const resource = (caller: Caller) => new ConversationClient(service.running, caller);
  const newColleague = ({ workspaceId }: Caller) => newCaller({ workspaceId });

  /** A conversation of one turn, whose owner has shared it with an editor and a viewer. */
  async function shared() {
    const owner = newCaller();
    const [editor, viewer] = [newColleague(owner), newColleague(owner)];
    const first = await service.running.as(owner).turn(newBeginTurn());
    await resource(owner).share(first.conversationId, editor.userId, 'editor');
    await resource(owner).share(first.conversationId, viewer.userId, 'viewer');
    return { owner, editor, viewer, first, id: first.conversationId };
  }

  it('permits each role its operations, and others none', async () => {
    const { owner, editor, viewer, first, id } = await shared();
    const strangers = [
      newColleague(owner),
      newCaller(),
      newCaller({ userId: viewer.userId }),
      { ...newColleague(owner), userId: '' },
      { ...owner, keyId: uuidv7() },
    ];
    const [message] = await resource(owner).messages(id);
    const user = uuidv7();
    const reads = [
      ...[
        (of: ConversationClient) => of.get(id),
        (of: ConversationClient) => of.messages(id),
        (of: ConversationClient) => of.participants(id),
      ],
      (of: ConversationClient) => of.message(message?.id ?? ''),
    ];
    const writes = [
      ...[
        (of: ConversationClient) => of.update(id, { pinned: true }),
        (of: ConversationClient) => of.archive(id),
        (of: ConversationClient) => of.restore(id),
      ],
      ...[
        (of: ConversationClient) => of.setContinuity(id, 'available'),
        (of: ConversationClient) => of.merge(id, [], { continuityStatus: 'upstream_unavailable' }),
      ],
    ];
    const governs = [
      ...[(of: ConversationClient) => of.share(id, user, 'viewer'), (of: ConversationClient) => of.updateParticipant(id, user, 'editor')],
      ...[
        (of: ConversationClient) => of.removeParticipant(id, user),
        (of: ConversationClient) => of.transfer(id, owner.userId),
        (of: ConversationClient) => of.delete(id),
      ],
    ];
    for (const read of reads) {
      for (const who of [viewer, editor, owner]) await expect(read(resource(who))).resolves.toBeDefined();
      for (const who of strangers) await expect(read(resource(who))).rejects.toMatchObject(DENIED);
    }
    for (const write of writes) {
      for (const who of [viewer, ...strangers]) await expect(write(resource(who))).rejects.toMatchObject(DENIED);
      for (const who of [editor, owner]) await expect(write(resource(who))).resolves.toBeDefined();
    }
    for (const govern of governs) {
      for (const who of [viewer, editor, ...strangers]) await expect(govern(resource(who))).rejects.toMatchObject(DENIED);
    }
    for (const who of [viewer, ...strangers]) {
      await expect(service.running.as(who).open(id)).rejects.toMatchObject(DENIED);
      await expect(service.running.as(who).history(id)).rejects.toMatchObject(DENIED);
      await expect(service.running.as(who).begin(nextBeginTurn(first))).rejects.toMatchObject(DENIED);
    }
    for (const govern of governs) await expect(govern(resource(owner))).resolves.toBeDefined();
  });

  it('lets an editor’s keys continue it until the editor is removed', async () => {
    const { owner, editor, first, id } = await shared();
    const second = await service.running.as({ ...editor, keyId: uuidv7() }).turn(nextBeginTurn(first));
    await expect(service.running.as(editor).open(id)).resolves.toMatchObject({ lastSequence: 2 });
    const third = await service.running.as(owner).turn(nextBeginTurn(second));
    expect((await resource(editor).get(id)).conversation?.messageCount).toBe(6);
    await resource(owner).updateParticipant(id, editor.userId, 'viewer');
    await expect(service.running.as(editor).begin(nextBeginTurn(third))).rejects.toMatchObject(DENIED);
    await resource(owner).removeParticipant(id, editor.userId);
    await expect(resource(editor).get(id)).rejects.toMatchObject(DENIED);
  });

  it('lists the participants, the owner first', async () => {
    const { owner, editor, viewer, id } = await shared();
    const participants = [
      { userId: owner.userId, role: 'owner', addedAt: expect.any(Date) },
      { userId: editor.userId, role: 'editor', addedAt: expect.any(Date) },
      { userId: viewer.userId, role: 'viewer', addedAt: expect.any(Date) },
    ];
    await expect(resource(viewer).participants(id)).resolves.toEqual(participants);
    const again = await resource(owner).share(id, editor.userId, 'viewer');
    expect(again).toMatchObject({ userId: editor.userId, role: 'viewer' });
    await expect(resource(owner).get(id)).resolves.toMatchObject({
      participants: [participants[0], { ...participants[1], role: 'viewer' }, participants[2]],
    });
  });

  it('rejects unknown roles, the owner as a participant, and users who are not participants', async () => {
    const { owner, id } = await shared();
    const mine = resource(owner);
    await expect(mine.share(id, uuidv7(), 'owner')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'role' });
    await expect(mine.share(id, 'x', 'viewer')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'user_id' });
    const notFound = { condition: 'PARTICIPANT_NOT_FOUND', param: 'user_id' };
    await expect(mine.updateParticipant(id, uuidv7(), 'viewer')).rejects.toMatchObject(notFound);
    await expect(mine.removeParticipant(id, uuidv7())).rejects.toMatchObject(notFound);
    for (const ask of [
      () => mine.share(id, owner.userId, 'viewer'),
      () => mine.updateParticipant(id, owner.userId, 'viewer'),
      () => mine.removeParticipant(id, owner.userId),
    ]) {
      await expect(ask()).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'user_id' });
    }
  });

  it('is transferred to a user, who owns it with every key, and makes the former owner an editor', async () => {
    const { owner, editor, first, id } = await shared();
    await expect(resource(owner).transfer(id, editor.userId)).resolves.toMatchObject({ ownerUserId: editor.userId });
    const anyKey = { ...editor, keyId: uuidv7() };
    await expect(resource(anyKey).participants(id)).resolves.toMatchObject([
      { userId: editor.userId, role: 'owner' },
      { role: 'viewer' },
      { userId: owner.userId, role: 'editor' },
    ]);
    const second = await service.running.as(anyKey).turn(nextBeginTurn(first));
    await service.running.as(owner).turn(nextBeginTurn(second));
    await expect(resource(owner).delete(id)).rejects.toMatchObject(DENIED);
    await resource(anyKey).removeParticipant(id, owner.userId);
    await expect(resource(owner).get(id)).rejects.toMatchObject(DENIED);
    await resource(editor).delete(id);
  });

  it('is listed once for every participant', async () => {
    const { owner, editor, viewer, id } = await shared();
    const listed = async (who: Caller) => (await resource(who).list()).conversations.map((conversation) => conversation.id);
    for (const who of [owner, editor, viewer]) await expect(listed(who)).resolves.toEqual([id]);
    await resource(owner).transfer(id, viewer.userId);
    for (const who of [owner, editor, viewer]) await expect(listed(who)).resolves.toEqual([id]);
    await expect(listed(newColleague(owner))).resolves.toEqual([]);
  });
});
