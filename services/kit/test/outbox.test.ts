import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseBrokerUrl } from '@parley/kit/bus/broker-url';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { openPool } from '@parley/kit/db/pool';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { type Relay, type RelayOptions, startRelay } from '@parley/kit/outbox/relay';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { type TestDatabase, createTestDatabase } from '@parley/kit/testing/database';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type NatsConnection, connect } from 'nats';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';

const broker = new URL(process.env.NATS_URL ?? '');
const TABLE = `CREATE TABLE outbox (id uuid PRIMARY KEY, subject text NOT NULL, payload bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`;

/** The broker as seen through the proxy. */
function through({ port }: FaultProxy): string {
  const url = new URL(broker);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

describe('outbox relay', () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  let database: TestDatabase;
  let pool: pg.Pool;
  let admin: NatsConnection;
  let proxy: FaultProxy;
  let bus: Bus;
  let stream: string;
  let subject: string;
  let relays: Relay[];
  let received: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool({ url: database.url, schema: 'public', log, applicationName: 'test' });
    await pool.query(TABLE);
    admin = await connect(parseBrokerUrl(broker.href));
  });
  afterAll(async () => {
    await admin.close();
    await pool.end();
    await database.drop();
  });

  beforeEach(async () => {
    const id = randomUUID().replaceAll('-', '');
    [stream, subject, relays, received] = [`T${id}`, `test.${id}`, [], []];
    proxy = await startFaultProxy({ host: broker.hostname, port: Number(broker.port) });
    bus = connectBus({ url: through(proxy), name: 'test', log });
    bus.declareStream({ name: stream, subjects: [`${subject}.*`], maxBytes: 50_000_000 });
    bus.consume({
      stream,
      durable: 'd',
      filterSubject: `${subject}.*`,
      handler: (bytes) => void received.push(...Buffer.from(bytes).toString().split(',')),
    });
    const manager = await admin.jetstreamManager();
    await waitFor(() => manager.streams.info(stream));
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await bus.drain();
    await proxy.close();
    await pool.query('TRUNCATE outbox');
    const manager = await admin.jetstreamManager();
    await manager.streams.delete(stream);
  });

  /** Events are their ids, joined by commas. */
  const encode = batchBySubject((payloads) => Buffer.from(payloads.map((payload) => Buffer.from(payload).toString()).join(',')));

  function start(options: Partial<RelayOptions> = {}): Relay {
    const relay = startRelay({ pool, bus, log, encode, idleMs: 50, gatherMs: 1, ...options });
    relays.push(relay);
    return relay;
  }

  async function insert(count: number, kind = 'a'): Promise<string[]> {
    const ids = Array.from({ length: count }, uuidv7);
    await pool.query('INSERT INTO outbox (id, subject, payload) SELECT id, $2, convert_to(id::text, $3) FROM unnest($1::uuid[]) id', [
      ids,
      `${subject}.${kind}`,
      'UTF8',
    ]);
    return ids;
  }

  const arrived = (ids: readonly string[]) => waitFor(() => ids.every((id) => received.includes(id)));

  it('publishes what was committed, in order, and empties the table', async () => {
    const ids = await insert(1_200);
    const relay = start();
    relay.publishSoon();
    await arrived(ids);
    await waitFor(async () => (await relay.depth()) === 0);
    expect(received).toEqual(ids);
  });

  it('sends one message for each subject of a round', async () => {
    await insert(20, 'a');
    await insert(20, 'b');
    start();
    await waitFor(() => received.length === 40);
    const manager = await admin.jetstreamManager();
    expect((await manager.streams.info(stream)).state.messages).toBe(2);
  });

  it('publishes rows without publishSoon', async () => {
    start();
    await arrived(await insert(3));
  });

  it('shares the work among replicas and repeats nothing while all is well', async () => {
    const all = await insert(3_000);
    for (let n = 0; n < 3; n++) start({ batch: 100 });
    await arrived(all);
    expect(received).toHaveLength(all.length);
  });

  it('keeps events while the broker is down, without querying the database, and delivers them when it is back', async () => {
    const own = openPool({ url: database.url, schema: 'public', log, applicationName: 'relay' });
    const relay = start({ pool: own });
    await arrived(await insert(5));
    proxy.cut();
    await waitFor(() => !bus.connected);
    const ids = await insert(50);
    let queries = 0;
    own.on('acquire', () => queries++);
    for (let n = 0; n < 100; n++) {
      relay.publishSoon();
      await pool.query('SELECT 1');
    }
    expect(queries).toBe(0);
    proxy.resume();
    await arrived(ids);
    await waitFor(async () => (await relay.depth()) === 0);
    await relay.stop();
    await own.end();
  });

  it('logs once that it stalls and once that it resumes', async () => {
    const lines: string[] = [];
    const loud = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
    start({ log: loud });
    proxy.cut();
    await waitFor(() => lines.length > 0);
    const ids = await insert(1);
    proxy.resume();
    await arrived(ids);
    await waitFor(() => lines.length > 1);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'outbox relay stalled; events wait in the database',
      'outbox relay resumed',
    ]);
  });

  it('publishes again what it could not commit', async () => {
    let lost = 0;
    const flaky = {
      get connected() {
        return bus.connected;
      },
      onConnected: (listener: () => void) => bus.onConnected(listener),
      publish: async (...args: Parameters<Bus['publish']>) => {
        await bus.publish(...args);
        if (lost++ === 0)
          await pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`,
          );
      },
    };
    const ids = await insert(3);
    const relay = start({ bus: flaky });
    await waitFor(async () => lost > 1 && (await relay.depth()) === 0);
    await arrived(ids);
  });

  it('skips an event that the broker rejects, and publishes the rest', async () => {
    const before = await insert(10);
    const [bad] = await insert(1, 'bad');
    await pool.query('UPDATE outbox SET payload = $2 WHERE id = $1', [bad, Buffer.alloc((admin.info?.max_payload ?? 0) + 1)]);
    const after = await insert(10);
    const relay = start();
    await arrived([...before, ...after]);
    await waitFor(async () => (await relay.depth()) === 1);
  });

  it('reports how many events wait and since when, by a query in some seconds at most, until it stops', async () => {
    enableMetrics('test');
    const values = async () =>
      [...(await readMetrics()).text.matchAll(/^parley_outbox_[a-z_]+\{service="counted"\} ([\d.]+)$/gm)].map(([, value]) =>
        Math.floor(Number(value)),
      );
    proxy.cut();
    await waitFor(() => !bus.connected);
    const [first] = await insert(3);
    await pool.query(`UPDATE outbox SET created_at = now() - interval '3000.5 s' WHERE id = $1`, [first]);
    const relay = start({ service: 'counted' });
    expect(await values()).toEqual([3, 3_000]);
    await insert(1);
    expect(await values()).toEqual([3, 3_000]);
    await relay.stop();
    expect(await values()).toEqual([]);
    proxy.resume();
  });

  it('makes a last round when it stops', async () => {
    const relay = start({ idleMs: 60_000 });
    await waitFor(async () => (await relay.depth()) === 0);
    const ids = await insert(3);
    await relay.stop();
    await arrived(ids);
  });
});
