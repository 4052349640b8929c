import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { ConversationClient } from './conversation-client.ts';
import { useService } from './fixture.ts';
import { REFUSED, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe('a conversation whose only turn was refused', () => {
  const service = useService();

  /** A caller of its own, with what its lists and searches show. */
  function newReader() {
    const caller = newCaller();
    const conversations = new ConversationClient(service.running, caller);
    const shown = async () => {
      const { conversations: listed, total } = await conversations.list();
      expect(listed).toHaveLength(total);
      expect(await conversations.search('Hello')).toEqual(listed.map(({ id }) => id));
      return listed.map(({ id }) => id);
    };
    return { turns: service.running.as(caller), conversations, shown };
  }

  async function refuse() {
    const reader = newReader();
    const first = newBeginTurn();
    await reader.turns.begin(first);
    await reader.turns.end(newEndTurn(first, REFUSED));
    return { ...reader, first };
  }

  it('is not listed or found, and is shown by its id', async () => {
    const { first, conversations, shown } = await refuse();
    expect(await shown()).toEqual([]);
    await expect(conversations.get(first.conversationId)).resolves.toMatchObject({ conversation: { messageCount: 2 } });
    await expect(conversations.messages(first.conversationId)).resolves.toHaveLength(2);
  });

  it('is listed as soon as a turn of it is accepted, and from then on', async () => {
    const { turns, first, shown } = await refuse();
    const second = await turns.turn(nextBeginTurn(first), REFUSED);
    expect(await shown()).toEqual([]);
    const third = await turns.turn(nextBeginTurn(second));
    expect(await shown()).toEqual([first.conversationId]);
    await turns.turn(nextBeginTurn(third), REFUSED);
    expect(await shown()).toEqual([first.conversationId]);
  });

  it.each([
    ['broke off', { status: 'failed', finishReason: 'error' }],
    ['was interrupted', { status: 'interrupted', finishReason: '', text: '' }],
  ])('differs from one whose turn %s', async (_how, end) => {
    const { turns, shown } = newReader();
    const first = await turns.turn(newBeginTurn(), end);
    expect(await shown()).toEqual([first.conversationId]);
  });

  it('does not count among the conversations of its project', async () => {
    const { turns } = newReader();
    const projectId = `project-${uuidv7()}`;
    const newConversation = { title: '', upstreamAccountId: 'account-1', upstreamProjectId: projectId, model: 'auto' };
    const count = async () => {
      const { counts } = await service.running.stub.countConversations({ upstreamProjectIds: [projectId] }, { caller: turns.caller });
      return counts.map(({ conversations }) => conversations);
    };
    const first = await turns.turn(newBeginTurn({ newConversation }), REFUSED);
    expect(await count()).toEqual([]);
    await turns.turn(nextBeginTurn(first));
    expect(await count()).toEqual([1]);
  });
});

describe('a listed conversation', () => {
  const service = useService();

  it('has a first turn that runs, or was created without one', async () => {
    const turns = service.client;
    const running = newBeginTurn();
    await turns.begin(running);
    const { id } = await service.conversations.create({ title: 'Hello' });
    const listed = async () => (await service.conversations.list()).conversations.map((one) => one.id).toSorted();
    const both = [running.conversationId, id].toSorted();
    expect(await listed()).toEqual(both);
    await turns.turn(nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 })), REFUSED);
    expect(await listed()).toEqual(both);
  });
});
