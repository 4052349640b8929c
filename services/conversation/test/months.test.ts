import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listMonthPartitions, partitionByMonth } from '@parley/kit/db/monthly-partitions';
import { transaction } from '@parley/kit/db/pool';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { toLowestUuid } from '../src/domain/turn-id-range.ts';
import { type Retention } from '../src/retention/retention.ts';
import { isPartitionUnused, moveRowsOutOfPartitions } from '../src/store/expired-conversations.ts';
import { MONTHLY_TABLES, TURNS_TABLE } from '../src/store/monthly-tables.ts';
import { ConversationClient, upstreamMessage } from './conversation-client.ts';
import { createFixture, type Fixture, type Running } from './fixture.ts';
import { createRecordingBus, type RecordingBus } from './recording-bus.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const DAY = 86_400_000;
const MONTHLY_ONLY = { hasMonthlyPartitions: true, retentionMs: undefined };
const THIRTY_DAYS = { hasMonthlyPartitions: true, retentionMs: 30 * DAY };

/** The id of a conversation that began so many days ago. */
const daysAgo = (days: number) => toLowestUuid(new Date(Date.now() - days * DAY)).slice(0, 13) + uuidv7().slice(13);

describe('months', () => {
  let fixture: Fixture;
  let bus: RecordingBus;
  beforeEach(async () => {
    fixture = await createFixture();
    bus = createRecordingBus();
  });
  afterEach(() => fixture.close());

  const start = (retention: Retention = MONTHLY_ONLY) => fixture.start({ bus, retention });
  const caller = newCaller();
  const tables = async () => {
    const { rows } = await fixture.sql.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'conversation' AND tablename ~ '^(turns|turn_ends|messages)' ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };
  const isPartitioned = () => waitFor(async () => (await tables()).filter((name) => /_\d{4}_\d{2}$/.test(name)).length >= 12);
  const rowsOf = async (table: string, conversationId: string) =>
    (await fixture.sql.query(`SELECT FROM ${table} WHERE conversation_id = $1`, [conversationId])).rowCount;
  /** Makes a round of the work on months, and waits for what it brings about. */
  const round = async (retention: Retention, until: () => Promise<boolean>) => {
    const one = await start(retention);
    await waitFor(until);
    await one.stop();
  };
  /** Moves all that a conversation did into the past. */
  const age = async (conversationId: string, days: number) => {
    const back = `- interval '${days} days'`;
    await fixture.sql.query(`UPDATE turns SET started_at = started_at ${back} WHERE conversation_id = $1`, [conversationId]);
    await fixture.sql.query(
      `UPDATE conversations SET created_at = created_at ${back}, last_message_at = last_message_at ${back} WHERE id = $1`,
      [conversationId],
    );
  };
  /** Partitions the tables as a service would have done so many days ago. */
  const partitionDaysAgo = async (days: number) => {
    for (const table of MONTHLY_TABLES) await partitionByMonth(fixture.sql, table, new Date(Date.now() - days * DAY));
  };

  it('partition a record in use: nothing fails, and everything is found again', async () => {
    const whole = await fixture.start({ bus });
    const client = whole.as(caller);
    const before = await client.turn(newBeginTurn());
    let isOver = false;
    const turns = Array.from({ length: 8 }, async () => {
      let [last, said] = [await client.turn(newBeginTurn()), 2];
      for (; !isOver; said += 2) last = await client.turn(nextBeginTurn(last));
      return { last, said };
    });
    await start();
    await isPartitioned();
    const { last: during } = { last: await client.turn(nextBeginTurn(before)) };
    isOver = true;
    for (const { last, said } of await Promise.all(turns)) expect(await client.history(last.conversationId)).toHaveLength(said);
    expect(await client.history(during.conversationId)).toHaveLength(4);
    // A service that was there before has the old statements prepared.
    expect(await client.begin(nextBeginTurn(before))).toMatchObject({ outcome: 'busy' });
    expect((await tables()).filter((name) => name.startsWith('turns'))).toHaveLength(8);
  });

  it('let one turn begin with a sequence or an idempotency key, across months and replicas', async () => {
    const replicas = [await start(), await fixture.start({ bus, listen: '127.0.0.1:0' })];
    await isPartitioned();
    const of = (index: number) => (replicas[index % 2] as Running).as(caller);
    const key = { idempotencyKey: 'once', requestDigest: Buffer.from('digest') };
    // This month, and three to come.
    const starts = Array.from({ length: 40 }, (_, index) => newBeginTurn({ ...key, conversationId: daysAgo(-28 * (index % 4)) }));
    const answers = await Promise.all(starts.map((turn, index) => of(index).begin(turn)));
    expect(answers.filter(({ outcome }) => outcome === 'begun')).toHaveLength(1);
    const winner = starts[answers.findIndex(({ outcome }) => outcome === 'begun')];
    expect(new Set(answers.flatMap(({ earlier }) => earlier?.turnId ?? []))).toEqual(new Set([winner?.turnId]));
    const first = await of(0).turn(newBeginTurn());
    const next = await Promise.all(Array.from({ length: 20 }, (_, index) => of(index).begin(nextBeginTurn(first))));
    expect(next.filter(({ outcome }) => outcome === 'begun')).toHaveLength(1);
  });

  it('are dropped with the conversations that were idle; those in use move, and go on', async () => {
    const service = await fixture.start({ bus });
    await partitionDaysAgo(100);
    const client = service.as(caller);
    const conversations = new ConversationClient(service, caller);
    const idle = await client.turn(newBeginTurn({ conversationId: daysAgo(100) }));
    const living = await client.turn(newBeginTurn({ conversationId: daysAgo(100) }));
    const second = await client.turn(nextBeginTurn(living));
    const fresh = await client.turn(newBeginTurn());
    await age(idle.conversationId, 100);
    await age(living.conversationId, 1);
    const [month = ''] = (await tables()).filter((name) => /^messages_\d/.test(name));

    await round(THIRTY_DAYS, async () => (await rowsOf('messages_kept', living.conversationId)) === 4 && !(await tables()).includes(month));
    expect((await tables()).filter((name) => name.endsWith(month.slice(-8)))).toEqual([]);
    await expect(conversations.get(idle.conversationId)).rejects.toMatchObject({ code: 'CONVERSATION_NOT_FOUND' });
    const deleted = await waitFor(() => bus.events.find(({ subject }) => subject === EVENT_SUBJECTS.conversationDeleted));
    expect(deleted.event.payload).toMatchObject({ value: { conversationId: idle.conversationId, keyId: '' } });
    expect(await client.history(living.conversationId)).toHaveLength(4);
    expect(await client.begin(nextBeginTurn(living))).toMatchObject({ outcome: 'busy' });
    expect(await client.end(newEndTurn(second, { text: 'Another answer' }))).toBe(false);
    await client.turn(nextBeginTurn(second));
    expect(await client.history(living.conversationId)).toHaveLength(6);
    expect(await client.history(fresh.conversationId)).toHaveLength(2);

    await fixture.sql.query("UPDATE conversations SET deleted_at = deleted_at - interval '3 hours'");
    await round(THIRTY_DAYS, async () => (await fixture.sql.query('SELECT FROM conversations')).rowCount === 2);
  });

  it('stay while a conversation is in use that began in them', async () => {
    const service = await fixture.start({ bus });
    await partitionDaysAgo(100);
    const client = service.as(caller);
    const [idle, used] = [newBeginTurn({ conversationId: daysAgo(100) }), newBeginTurn({ conversationId: daysAgo(100) })];
    await client.turn(idle);
    await age(idle.conversationId, 100);
    await client.begin(used);
    const before = await tables();
    await round(THIRTY_DAYS, async () => bus.events.some(({ subject }) => subject === EVENT_SUBJECTS.conversationDeleted));
    await start(THIRTY_DAYS);
    const months = async (month: string) => (await tables()).filter((name) => name.endsWith(month));
    const [first = '', next = ''] = before.flatMap((name) => /^messages(_\d.*)/.exec(name)?.[1] ?? []);
    // In the second one nothing is left.
    await waitFor(async () => (await months(next)).length === 0);
    expect(await months(first)).toHaveLength(3);
    expect(await client.end(newEndTurn(used))).toBe(true);
    expect(await client.history(used.conversationId)).toHaveLength(2);
  });

  it('stay while they have what a sync added to a conversation that was moved', async () => {
    const service = await fixture.start({ bus });
    await partitionDaysAgo(100);
    const client = service.as(caller);
    const { conversationId } = await client.turn(newBeginTurn({ conversationId: daysAgo(100) }));
    await age(conversationId, 1);
    const [month] = await listMonthPartitions(fixture.sql, TURNS_TABLE);
    if (!month) throw new Error('there is no month');
    const move = () => moveRowsOutOfPartitions(fixture.sql, month.until, new AbortController().signal);
    const since = new Date();
    const unused = () => transaction(fixture.sql, (sql) => isPartitionUnused(sql, month, since));
    await move();
    expect(await unused()).toBe(true);
    await new ConversationClient(service, caller).merge(conversationId, [upstreamMessage('u-1', { text: 'By the way' })], {
      onlyAdded: true,
    });
    expect(await unused()).toBe(false);
    await move();
    expect(await unused()).toBe(true);
    expect(await rowsOf('messages_kept', conversationId)).toBe(3);
  });

  it('are optional: without them the rows of old conversations are deleted', async () => {
    const service = await fixture.start({ bus });
    const client = service.as(caller);
    const old = await client.turn(newBeginTurn({ conversationId: daysAgo(31) }));
    const young = await client.turn(newBeginTurn({ conversationId: daysAgo(31) }));
    await age(old.conversationId, 31);
    await age(young.conversationId, 29);
    const rows = { hasMonthlyPartitions: false, retentionMs: 30 * DAY };
    await round(rows, async () => bus.events.some(({ subject }) => subject === EVENT_SUBJECTS.conversationDeleted));
    expect(await rowsOf('messages', old.conversationId)).toBe(2);
    await fixture.sql.query("UPDATE conversations SET deleted_at = deleted_at - interval '3 hours'");
    await round(rows, async () => (await fixture.sql.query('SELECT FROM conversations')).rowCount === 1);
    for (const table of ['turns', 'turn_ends', 'messages']) expect(await rowsOf(table, old.conversationId)).toBe(0);
    expect(await client.history(young.conversationId)).toHaveLength(2);
  });
});
