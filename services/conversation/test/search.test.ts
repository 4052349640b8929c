import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Listen } from '@parley/kit/rpc/serve';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENTS, EVENT_STREAM } from '@parley/protos/subjects';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { ConversationClient, upstreamMessage } from './conversation-client.ts';
import { type TurnClient, newBeginTurn, newCaller, nextBeginTurn } from './turn-client.ts';

const TRANSPORTS: Listen[] = ['in-process', '127.0.0.1:0'];

describe.each(TRANSPORTS)('what ended turns leave for later, %s', (listen) => {
  const created: Event[] = [];
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  let mine: ConversationClient;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ listen });
    client = running.as(newCaller());
    mine = new ConversationClient(running, client.caller);
    fixture.bus.consume({
      stream: EVENT_STREAM,
      durable: `test-${uuidv7()}`,
      filterSubject: EVENTS.conversationCreated,
      handler: (bytes) => void created.push(...EventBatch.decode(bytes).events),
    });
  });
  afterAll(() => fixture.close());

  const asking = (text: string) => ({ messages: [{ id: uuidv7(), role: 'user', text, parts: [], files: [] }] });
  const found = (text: string) => waitFor(async () => ((await mine.search(text)).length > 0 ? mine.search(text) : undefined));
  const titled = (id: string) => waitFor(async () => (await mine.get(id)).conversation?.title);
  const settled = async () => {
    const text = uuidv7();
    await client.turn(newBeginTurn(asking(text)));
    await found(text);
  };

  it('finds questions and answers regardless of case, only of the caller', async () => {
    const { conversationId } = await client.turn(newBeginTurn(asking('How tall is the MATTERHORN?')), {
      text: 'It is 4478 metres, Überraschung!',
    });
    await expect(found('matterHorn')).resolves.toEqual([conversationId]);
    await expect(found('ÜBERraschung')).resolves.toEqual([conversationId]);
    await expect(new ConversationClient(running, newCaller()).search('matterhorn')).resolves.toEqual([]);
  });

  it('matches % and _ and \\ literally', async () => {
    const literal = await client.turn(newBeginTurn(asking('100%_sure\\')));
    await client.turn(newBeginTurn(asking('100 of them are surely')));
    await settled();
    for (const text of ['%_', '0%', '_s', '\\', '100%_SURE\\']) await expect(mine.search(text)).resolves.toEqual([literal.conversationId]);
    await expect(mine.search('100_')).resolves.toEqual([]);
  });

  it('does not find the answer that a repeated turn replaced', async () => {
    const first = await client.turn(newBeginTurn(), { status: 'failed', text: 'half an onomatopoeia' });
    await found('onomatopoeia');
    await client.turn(nextBeginTurn(first, { messages: [] }), { text: 'a whole answer about zeugmas' });
    await expect(found('zeugmas')).resolves.toEqual([first.conversationId]);
    await expect(mine.search('onomatopoeia')).resolves.toEqual([]);
  });

  it('derives a title from the first message, and never replaces a given one', async () => {
    const { conversationId } = await client.turn(newBeginTurn(asking('# Plan\n\nA **trip** to Rome')));
    await expect(titled(conversationId)).resolves.toBe('Plan A trip to Rome');
    await expect(found('a trip to')).resolves.toEqual([conversationId]);
    const named = await mine.create({ title: 'Mine' });
    const unnamed = await mine.create();
    await mine.update(unnamed.id, { title: '' });
    for (const { id } of [named, unnamed]) await client.turn(nextBeginTurn(newBeginTurn({ conversationId: id, sequence: 0 })));
    await settled();
    expect((await mine.get(named.id)).conversation?.title).toBe('Mine');
    expect((await mine.get(unnamed.id)).conversation?.title).toBe('');
    const later = await mine.create();
    await client.turn(nextBeginTurn(newBeginTurn({ conversationId: later.id, sequence: 0 }), asking('Later')));
    await expect(titled(later.id)).resolves.toBe('Later');
  });

  it('finds current titles', async () => {
    const { id } = await mine.create({ title: 'Albatross' });
    await expect(mine.search('albatross')).resolves.toEqual([id]);
    await mine.update(id, { title: 'Cormorant' });
    await expect(mine.search('albatross')).resolves.toEqual([]);
    await expect(mine.search('cormorant')).resolves.toEqual([id]);
  });

  it('finds messages that a sync added or changed, not removed ones', async () => {
    const { id } = await mine.create();
    await mine.merge(id, [upstreamMessage('u-1', { text: 'pelican' }), upstreamMessage('u-2', { text: 'heron' })]);
    await expect(mine.search('pelican')).resolves.toEqual([id]);
    await mine.merge(id, [upstreamMessage('u-1', { text: 'flamingo' })]);
    await expect(mine.search('flamingo')).resolves.toEqual([id]);
    for (const text of ['heron', 'pelican and']) await expect(mine.search(text)).resolves.toEqual([]);
  });

  it('deletes the documents of a deleted conversation, also when its last turn ends later', async () => {
    const first = await client.turn(newBeginTurn(asking('ptarmigan')));
    await found('ptarmigan');
    const second = nextBeginTurn(first, asking('ptarmigan again'));
    await client.begin(second);
    await mine.delete(first.conversationId);
    await client.end({
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
    const { rows } = await fixture.sql.query('SELECT FROM search_documents WHERE conversation_id = $1', [first.conversationId]);
    expect(rows).toEqual([]);
  });

  it('publishes one created event for a conversation that started with a turn', async () => {
    const first = await client.turn(newBeginTurn());
    await client.turn(nextBeginTurn(first));
    await settled();
    const about = () =>
      created.flatMap(({ payload }) =>
        payload?.$case === 'conversationChanged' && payload.value.conversationId === first.conversationId ? [payload.value] : [],
      );
    await waitFor(() => about().length > 0);
    const { caller } = client;
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
