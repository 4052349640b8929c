import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import { EventBatch, type TurnEnded } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS, EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { newArtifact, publishBytes, publishAssetEvents } from './asset-events.ts';
import { ConversationClient } from './conversation-client.ts';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const MANY = Array.from({ length: 40 }, (_, index) => index);

describe('assets of answers', () => {
  let fixture: Fixture;
  let replicas: Running[];
  let client: TurnClient;
  let mine: ConversationClient;
  const ended: TurnEnded[] = [];
  beforeAll(async () => {
    fixture = await createFixture();
    replicas = [await fixture.start(), await fixture.start({ listen: '127.0.0.1:0' })];
    client = replica(0).as(newCaller());
    mine = new ConversationClient(replica(0), client.caller);
    fixture.bus.consume({
      stream: EVENT_STREAM,
      durable: 'test-ended',
      filterSubject: EVENT_FILTERS.turns,
      handler: (bytes) => {
        for (const { payload } of EventBatch.decode(bytes).events) if (payload?.$case === 'turnEnded') ended.push(payload.value);
      },
    });
  });
  afterAll(() => fixture.close());

  const replica = (index: number) => replicas[index % replicas.length] as Running;
  const publish = (turn: BeginTurn, ids: readonly string[], status?: string) => publishAssetEvents(fixture.bus, turn, ids, status);
  const answer = async ({ assistantMessageId }: BeginTurn) => {
    const { status, assetIds } = await mine.message(assistantMessageId);
    return { status, assetIds };
  };
  const becomes = (turn: BeginTurn, status: string) => waitFor(async () => (await answer(turn)).status === status);
  const isSettled = (assetId: string) =>
    waitFor(async () => {
      const { rowCount } = await fixture.sql.query('SELECT FROM message_assets WHERE asset_id = $1 AND done', [assetId]);
      return rowCount === 1;
    });
  const made = (count: number) => {
    const artifacts = Array.from({ length: count }, () => newArtifact()).toReversed();
    return { artifacts, ids: artifacts.map(({ assetId }) => assetId) };
  };

  it('are listed in order with their message, which completes when all are done', async () => {
    const { artifacts, ids } = made(3);
    const turn = await client.turn(newBeginTurn(), { artifacts });
    await expect(answer(turn)).resolves.toEqual({ status: 'processing_assets', assetIds: ids });
    await publish(turn, ids.slice(0, 2));
    await isSettled(ids[1] ?? '');
    await expect(answer(turn)).resolves.toEqual({ status: 'processing_assets', assetIds: ids });
    await publish(turn, ids.slice(2), 'failed');
    await becomes(turn, 'completed');
    const listed = await mine.messages(turn.conversationId);
    expect(listed.map(({ role, status, assetIds }) => [role, status, assetIds])).toEqual([
      ['user', 'completed', []],
      ['assistant', 'completed', ids],
    ]);
    const { messages } = await client.listHistory({ conversationId: turn.conversationId, beforeTurnId: '' });
    expect(messages.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('leave their message completed when one is retried', async () => {
    const { artifacts, ids } = made(1);
    const turn = await client.turn(newBeginTurn(), { artifacts });
    await publish(turn, ids, 'failed');
    await becomes(turn, 'completed');
    await publish(turn, ids, 'discovered');
    const later = await client.turn(nextBeginTurn(turn), { artifacts: made(1).artifacts });
    // Events are processed in order.
    const marker = made(1).ids;
    await publish(later, marker);
    await isSettled(marker[0] ?? '');
    await expect(answer(turn)).resolves.toEqual({ status: 'completed', assetIds: ids });
  });

  it.each(['failed', 'interrupted'])('are listed when their turn is %s, and keep that status', async (status) => {
    const { artifacts, ids } = made(2);
    const turn = await client.turn(newBeginTurn(), { status, artifacts });
    await expect(answer(turn)).resolves.toEqual({ status, assetIds: ids });
    await publish(turn, ids);
    await isSettled(ids[0] ?? '');
    await expect(answer(turn)).resolves.toEqual({ status, assetIds: ids });
  });

  it('reach a message whose turn was interrupted before it reported them', async () => {
    const turn = newBeginTurn();
    const { ids } = made(1);
    await client.begin(turn);
    await client.end(newEndTurn(turn, { status: 'interrupted' }));
    await publish(turn, ids);
    await isSettled(ids[0] ?? '');
    await expect(answer(turn)).resolves.toEqual({ status: 'interrupted', assetIds: ids });
  });

  it('are stored when the end arrives before its start is committed, and once when it is repeated', async () => {
    const { artifacts, ids } = made(2);
    const turn = newBeginTurn();
    const begun = client.begin(turn);
    const end = newEndTurn(turn, { artifacts: [...artifacts, ...artifacts] });
    await expect(Promise.all([client.end(end), client.end(end)])).resolves.toEqual([true, true]);
    await expect(begun).resolves.toMatchObject({ outcome: 'begun' });
    await expect(answer(turn)).resolves.toEqual({ status: 'processing_assets', assetIds: ids });
  });

  it('can be done before the turn that made them has ended', async () => {
    const { artifacts, ids } = made(2);
    const turn = newBeginTurn();
    await client.begin(turn);
    await publish(turn, ids.slice(1));
    await isSettled(ids[1] ?? '');
    await client.end(newEndTurn(turn, { artifacts }));
    await expect(answer(turn)).resolves.toEqual({ status: 'processing_assets', assetIds: ids });
    await publish(turn, ids.slice(0, 1));
    await becomes(turn, 'completed');
    await expect(answer(turn)).resolves.toEqual({ status: 'completed', assetIds: ids });
  });

  it('can be done while the end of their turn is being written', async () => {
    const { artifacts, ids } = made(2);
    const [last, first] = ids as [string, string];
    const turn = newBeginTurn();
    await client.begin(turn);
    const waiting = (count: number) =>
      waitFor(async () => {
        const sql = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        return (await fixture.sql.query<{ n: number }>(sql)).rows[0]?.n === count;
      });
    const other = await fixture.sql.connect();
    try {
      // The end locks the first asset and waits for the last one; the event of the first then waits for the end.
      await other.query('BEGIN');
      const insert = 'INSERT INTO message_assets (asset_id, message_id, conversation_id, done) VALUES ($1, $2, $3, true)';
      await other.query(insert, [last, turn.assistantMessageId, turn.conversationId]);
      const closed = client.end(newEndTurn(turn, { artifacts }));
      await waiting(1);
      await publish(turn, [first]);
      await waiting(2);
      await other.query('COMMIT');
      await expect(closed).resolves.toBe(true);
    } finally {
      other.release();
    }
    await becomes(turn, 'completed');
    await expect(answer(turn)).resolves.toEqual({ status: 'completed', assetIds: ids });
  });

  it('complete their messages exactly when all are done, in any order, across replicas', async () => {
    const turns = MANY.map(() => ({ turn: newBeginTurn(), ...made(3) }));
    await Promise.all(turns.map(({ turn }, index) => replica(index).as(client.caller).begin(turn)));
    const end = ({ turn, artifacts }: (typeof turns)[number], index: number) =>
      replica(index).as(client.caller).end(newEndTurn(turn, { artifacts }));
    // In every other turn one asset stays open; some events come twice, in either order, before or after the end.
    const news = ({ turn, ids }: (typeof turns)[number], index: number) => {
      const done = ids.slice(index % 2);
      return [publish(turn, done.slice(0, 1)), publish(turn, done.toReversed()), publish(turn, done)];
    };
    await Promise.all(turns.flatMap((one, index) => (index % 3 === 0 ? [...news(one, index), end(one, index)] : [])));
    await Promise.all(turns.flatMap((one, index) => (index % 3 === 1 ? [end(one, index), ...news(one, index)] : [])));
    await Promise.all(turns.flatMap((one, index) => (index % 3 === 2 ? news(one, index) : [])));
    await Promise.all(turns.flatMap((one, index) => (index % 3 === 2 ? [end(one, index)] : [])));
    const states = () => Promise.all(turns.map(({ turn }) => answer(turn)));
    await waitFor(async () => {
      const { rowCount } = await fixture.sql.query('SELECT FROM message_assets WHERE message_id = ANY ($1) AND done', [
        turns.map(({ turn }) => turn.assistantMessageId),
      ]);
      return rowCount === (3 * MANY.length) / 2 + (2 * MANY.length) / 2;
    });
    await expect(states()).resolves.toEqual(
      turns.map(({ ids }, index) => ({ status: index % 2 === 0 ? 'completed' : 'processing_assets', assetIds: ids })),
    );
    await Promise.all(turns.map(({ turn, ids }) => publish(turn, ids)));
    await waitFor(async () => (await states()).every(({ status }) => status === 'completed'));
  });

  it('are distinguished from attachments, and survive an unreadable message', async () => {
    const { artifacts, ids } = made(1);
    const turn = await client.turn(newBeginTurn(), { artifacts });
    const attachment = uuidv7();
    await publishAssetEvents(fixture.bus, turn, [attachment], 'ready', { messageId: '' });
    await publishBytes(fixture.bus, EVENT_SUBJECTS.assetReady, Buffer.from('no batch'));
    await publish(turn, ids);
    await becomes(turn, 'completed');
    await expect(fixture.sql.query('SELECT FROM message_assets WHERE asset_id = $1', [attachment])).resolves.toMatchObject({ rowCount: 0 });
  });

  it('are rejected without an id', async () => {
    const turn = newBeginTurn();
    await client.begin(turn);
    const refused = client.end(newEndTurn(turn, { artifacts: [newArtifact({ assetId: 'x' })] }));
    await expect(refused).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'artifacts' });
  });

  it('are in the event of their turn', async () => {
    const artifacts = [newArtifact(), newArtifact({ assetType: 'file', fileName: 'a\0.csv', mimeType: 'text/csv' })];
    const turn = await client.turn(newBeginTurn(), { artifacts });
    const found = await waitFor(() => ended.find(({ turnId }) => turnId === turn.turnId));
    expect(found).toMatchObject({ artifacts: [artifacts[0], { ...artifacts[1], fileName: 'a.csv' }] });
  });
});
