import { beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS, EVENT_STREAM } from '@parley/protos/subjects';
import { ConversationClient, upstreamMessage } from './conversation-client.ts';
import { TRANSPORTS, createFixture, useService } from './fixture.ts';
import { newBeginTurn, newCaller, nextBeginTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('background work after turns, %s', (listen) => {
  const created: Event[] = [];
  const service = useService({ listen });
  beforeAll(async () => {
    service.fixture.bus.consume({
      stream: EVENT_STREAM,
      durable: `test-${uuidv7()}`,
      filterSubject: EVENT_SUBJECTS.conversationCreated,
      handler: (bytes) => void created.push(...EventBatch.decode(bytes).events),
    });
  });

  const asking = (text: string) => ({ messages: [{ id: uuidv7(), role: 'user', text, parts: [], files: [] }] });
  const found = (text: string) =>
    waitFor(async () => ((await service.conversations.search(text)).length > 0 ? service.conversations.search(text) : undefined));
  const titled = (id: string) => waitFor(async () => (await service.conversations.get(id)).conversation?.title);
  const settled = async () => {
    const text = uuidv7();
    await service.client.turn(newBeginTurn(asking(text)));
    await found(text);
  };

  it('finds questions and answers regardless of case, only of the caller', async () => {
    const { conversationId } = await service.client.turn(newBeginTurn(asking('How tall is the MATTERHORN?')), {
      text: 'It is 4478 metres, Überraschung!',
    });
    await expect(found('matterHorn')).resolves.toEqual([conversationId]);
    await expect(found('ÜBERraschung')).resolves.toEqual([conversationId]);
    await expect(new ConversationClient(service.running, newCaller()).search('matterhorn')).resolves.toEqual([]);
  });

  it('matches % and _ and \\ literally', async () => {
    const literal = await service.client.turn(newBeginTurn(asking('100%_sure\\')));
    await service.client.turn(newBeginTurn(asking('100 of them are surely')));
    await settled();
    for (const text of ['%_', '0%', '_s', '\\', '100%_SURE\\'])
      await expect(service.conversations.search(text)).resolves.toEqual([literal.conversationId]);
    await expect(service.conversations.search('100_')).resolves.toEqual([]);
  });

  it('does not find the answer that a repeated turn replaced', async () => {
    const first = await service.client.turn(newBeginTurn(), { status: 'failed', text: 'half an onomatopoeia' });
    await found('onomatopoeia');
    await service.client.turn(nextBeginTurn(first, { messages: [] }), { text: 'a whole answer about zeugmas' });
    await expect(found('zeugmas')).resolves.toEqual([first.conversationId]);
    await expect(service.conversations.search('onomatopoeia')).resolves.toEqual([]);
  });

  it('derives a title from the first message, and never replaces a given one', async () => {
    const { conversationId } = await service.client.turn(newBeginTurn(asking('# Plan\n\nA **trip** to Rome')));
    await expect(titled(conversationId)).resolves.toBe('Plan A trip to Rome');
    await expect(found('a trip to')).resolves.toEqual([conversationId]);
    const named = await service.conversations.create({ title: 'Mine' });
    const unnamed = await service.conversations.create();
    await service.conversations.update(unnamed.id, { title: '' });
    for (const { id } of [named, unnamed]) await service.client.turn(nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 })));
    await settled();
    expect((await service.conversations.get(named.id)).conversation?.title).toBe('Mine');
    expect((await service.conversations.get(unnamed.id)).conversation?.title).toBe('');
    const later = await service.conversations.create();
    await service.client.turn(nextBeginTurn(newBeginTurn({ conversationId: later.id, sequence: 0 }), asking('Later')));
    await expect(titled(later.id)).resolves.toBe('Later');
  });

  it('finds current titles', async () => {
    const { id } = await service.conversations.create({ title: 'Albatross' });
    await expect(service.conversations.search('albatross')).resolves.toEqual([id]);
    await service.conversations.update(id, { title: 'Cormorant' });
    await expect(service.conversations.search('albatross')).resolves.toEqual([]);
    await expect(service.conversations.search('cormorant')).resolves.toEqual([id]);
  });

  it('finds messages that a sync added or changed, not removed ones', async () => {
    const { id } = await service.conversations.create();
    await service.conversations.merge(id, [upstreamMessage('u-1', { text: 'pelican' }), upstreamMessage('u-2', { text: 'heron' })]);
    await expect(service.conversations.search('pelican')).resolves.toEqual([id]);
    await service.conversations.merge(id, [upstreamMessage('u-1', { text: 'flamingo' })]);
    await expect(service.conversations.search('flamingo')).resolves.toEqual([id]);
    for (const text of ['heron', 'pelican and']) await expect(service.conversations.search(text)).resolves.toEqual([]);
  });

  it('deletes the documents of a deleted conversation, also when its last turn ends later', async () => {
    const first = await service.client.turn(newBeginTurn(asking('ptarmigan')));
    await found('ptarmigan');
    const second = nextBeginTurn(first, asking('ptarmigan again'));
    await service.client.begin(second);
    await service.conversations.delete(first.conversationId);
    await service.client.end({
      ...second,
      status: 'completed',
      text: 'ptarmigan',
      finishReason: 'stop',
      connectionId: '',
      tokensIn: 0,
      tokensOut: 0,
      durationMs: 0,
      error: undefined,
      upstreamState: '',
      artifacts: [],
      attempts: [],
      reasoning: '',
    });
    await settled();
    const { rows } = await service.fixture.sql.query('SELECT FROM search_documents WHERE conversation_id = $1', [first.conversationId]);
    expect(rows).toEqual([]);
  });

  it('publishes one created event for a conversation that started with a turn', async () => {
    const first = await service.client.turn(newBeginTurn());
    await service.client.turn(nextBeginTurn(first));
    await settled();
    const about = () =>
      created.flatMap(({ payload }) =>
        payload?.$case === 'conversationChanged' && payload.value.conversationId === first.conversationId ? [payload.value] : [],
      );
    await waitFor(() => about().length > 0);
    const { caller } = service.client;
    expect(about()).toMatchObject([{ workspaceId: caller.workspaceId, keyId: caller.keyId, ownerUserId: caller.userId, status: 'active' }]);
  });

  it('catches up with turns that ended while no consumer was running', async () => {
    const deaf = await createFixture();
    try {
      const silent = { ...deaf.bus, consume: () => ({ stop: async () => undefined }) };
      const first = await deaf.start({ bus: silent });
      const caller = newCaller();
      const turn = await first.as(caller).turn(newBeginTurn(asking('kittiwake')));
      await first.stop();
      const second = new ConversationClient(await deaf.start(), caller);
      await waitFor(async () => (await second.search('kittiwake')).includes(turn.conversationId));
    } finally {
      await deaf.close();
    }
  });
});
