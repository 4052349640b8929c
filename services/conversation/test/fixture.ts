import { afterAll, beforeAll } from '@jest/globals';
import { type Bus } from '@parley/kit/bus/bus';
import { createLogger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { type Stub, connect } from '@parley/kit/rpc/client';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { openInfra } from '@parley/kit/testing/infra';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import type pg from 'pg';
import { type Retention } from '../src/retention/retention.ts';
import { type ConversationOverrides, type ConversationServer, startConversationServer } from '../src/server.ts';
import { ConversationClient } from './conversation-client.ts';
import { TurnClient, newCaller } from './turn-client.ts';

/** A silent log. */
export const SILENT = createLogger({ service: 'test', level: 'silent' });

/** A database with any number of services on it. */
export interface Fixture {
  url: string;
  /** Queries the database directly. */
  sql: pg.Pool;
  /** The broker with the subjects of this fixture only. */
  bus: Bus;
  start(options?: StartOptions): Promise<Running>;
  /** Moves the timestamps of all rows into the past; the service only uses the database's clock. */
  ageRows(time: string): Promise<void>;
  close(): Promise<void>;
}

/** Options of a service. */
export interface StartOptions extends ConversationOverrides {
  listen?: ListenAddress;
  databaseUrl?: string;
  natsUrl?: string;
  retention?: Retention;
}

/** A service with a connection to it. */
export interface Running {
  server: ConversationServer;
  stub: Stub<typeof ConversationServiceService>;
  as(caller: Caller): TurnClient;
  stop(): Promise<void>;
}

/** Creates the fixture; `close` stops all services that it started. */
export async function createFixture(): Promise<Fixture> {
  const infra = await openInfra('conversation', SILENT);
  const { databaseUrl, sql } = infra;
  const running: Running[] = [];
  const bus = infra.openBus();
  return {
    url: databaseUrl,
    sql,
    bus,
    start: async (options = {}) => {
      // Consumers of all services on a broker share their work: only services of one database may share it.
      const one = await startOn(databaseUrl, options.natsUrl === undefined ? { bus, ...options } : options);
      running.push(one);
      return one;
    },
    ageRows: async (time) => {
      await sql.query(`UPDATE turns SET started_at = started_at - interval '${time}'`);
      await sql.query(`UPDATE conversations SET created_at = created_at - interval '${time}'`);
      await sql.query(`UPDATE turn_runners SET first_seen = first_seen - interval '${time}', last_seen = last_seen - interval '${time}'`);
      await sql.query(`UPDATE reaper_progress SET open_since = open_since - interval '${time}'`);
    },
    close: async () => {
      for (const one of running) await one.stop();
      await bus.drain();
      await infra.close();
    },
  };
}

async function startOn(
  url: string,
  { listen = 'in-process', databaseUrl = url, natsUrl, retention, ...overrides }: StartOptions,
): Promise<Running> {
  const nats = natsUrl ?? process.env.NATS_URL ?? '';
  const config = { databaseUrl, natsUrl: nats, listen, logLevel: 'silent', instance: 'test', ...(retention && { retention }) } as const;
  const server = await startConversationServer(config, { log: SILENT, reaperIntervalMs: 3_600_000, ...overrides });
  const stub = connect(ConversationServiceService, server.address);
  return {
    server,
    stub,
    as: (caller) => new TurnClient(stub, caller),
    stop: async () => {
      stub.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Both transports of a service. */
export const TRANSPORTS: ListenAddress[] = ['in-process', '127.0.0.1:0'];

/** What the tests of one `describe` use; set before the first test. */
export interface TestContext {
  fixture: Fixture;
  running: Running;
  /** The turns of a new caller. */
  client: TurnClient;
  /** The conversation resource of the same caller. */
  conversations: ConversationClient;
}

/** Starts a fixture with one service before the tests of the enclosing `describe`, and closes it after them. */
export function useService(options: StartOptions = {}): TestContext {
  const context: Partial<TestContext> = {};
  beforeAll(async () => {
    const fixture = await createFixture();
    context.fixture = fixture;
    const running = await fixture.start(options);
    const client = running.as(newCaller());
    Object.assign(context, { running, client, conversations: new ConversationClient(running, client.caller) });
  });
  afterAll(() => context.fixture?.close());
  return context as TestContext;
}
