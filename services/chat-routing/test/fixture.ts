import { type Bus } from '@parley/kit/bus/bus';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { connect, type Stub } from '@parley/kit/rpc/client';
import { type ServiceEndpoint, type ListenAddress, serve } from '@parley/kit/rpc/serve';
import { openInfra } from '@parley/kit/testing/infra';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { ChatRoutingServiceService, type Connection, type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type ChatRoutingConfig } from '../src/config.ts';
import { TestUpstream } from '../src/providers/testing/upstream.ts';
import { type ChatRoutingOverrides, type ChatRoutingServer, startChatRoutingServer } from '../src/server.ts';
import { Client } from './client.ts';
import { FakeConversation } from './fake-conversation.ts';

/** A log without output. */
const SILENT = createLogger({ service: 'test', level: 'silent' });

/** The secret key of the services in a test. */
export const SECRET_KEY = { id: 'k1', key: randomBytes(32) };

/** A caller with a key of a workspace. */
export function newCaller(over: Partial<Caller> = {}): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: uuidv7(), scopes: ['chat'], requestId: 'r', ...over };
}

/** A running service with a connection to it. */
export interface Running {
  server: ChatRoutingServer;
  stub: Stub<typeof ChatRoutingServiceService>;
  as(caller: Caller): Client;
  stop(): Promise<void>;
}

/** A database, a corner of the broker, a record and an upstream that belong to one test file. */
export interface TestFixture {
  databaseUrl: string;
  sql: pg.Pool;
  conversation: FakeConversation;
  /** The record as a server, to close it under the service's feet. */
  record: ServiceEndpoint;
  upstream: TestUpstream;
  bus: Bus;
  start(config?: Partial<ChatRoutingConfig>, overrides?: ChatRoutingOverrides): Promise<Running>;
  close(): Promise<void>;
}

/** Opens the fixture. `listen` is how services reach the record. */
export async function openFixture(listen: ListenAddress = 'in-process'): Promise<TestFixture> {
  const infra = await openInfra('routing', SILENT);
  const { databaseUrl, natsUrl, sql, openBus } = infra;
  const bus = openBus();
  const conversation = new FakeConversation();
  const record = await serve(ConversationServiceService, conversation.handlers, listen, SILENT);
  const upstream = await new TestUpstream().listen();
  const running: Running[] = [];
  const fixture: TestFixture = {
    ...{ databaseUrl, sql, conversation, record, upstream, bus },
    start: async (config = {}, overrides = {}) => {
      const itsBus = overrides.bus ?? openBus();
      const server = await startChatRoutingServer(
        {
          ...{ databaseUrl, natsUrl, listen: 'in-process', conversationAddress: record.address, secretKeys: [SECRET_KEY] },
          ...{
            instance: 'test',
            runnerId: randomUUID(),
            logLevel: 'silent',
            drainMs: 50_000,
            connectMs: 10_000,
            acceptanceMs: 30_000,
            silenceMs: 30_000,
          },
          ...{ uploadMs: 30_000, turnMs: 120_000, waitingMs: 15_000, busyMs: 10_000, projectTokens: 8_000, fileTokens: 8_000 },
          ...{ fileReading: { readers: 2, timeMs: 30_000 } },
          ...{ modelsRefreshMs: 900_000, concurrency: 2_000, queue: { length: 1_000, waitMs: 10_000 } },
          ...config,
        },
        { log: SILENT, ...overrides, bus: itsBus },
      );
      const stub = connect(ChatRoutingServiceService, server.address);
      const one: Running = {
        server,
        stub,
        as: (caller) => new Client(stub, caller),
        stop: async () => {
          running.splice(running.indexOf(one), 1);
          stub.close();
          await server[Symbol.asyncDispose]();
          await itsBus.drain();
        },
      };
      running.push(one);
      return one;
    },
    close: async () => {
      for (const one of [...running]) await one.stop();
      await record.close();
      await bus.drain();
      await upstream.close();
      await infra.close();
    },
  };
  return fixture;
}

/** Connects an openai-compatible account to the fixture's upstream. */
export function connectAccount(
  { upstream }: TestFixture,
  { stub }: Running,
  caller: Caller,
  over: Partial<CreateConnectionRequest> = {},
): Promise<Connection> {
  const request = {
    provider: 'openai-compatible',
    label: 'main',
    baseUrl: `${upstream.url}/v1`,
    account: '',
    secret: 'sk-1',
    models: ['m1'],
    isDefault: false,
    pass: [],
    defaultModel: '',
    aliases: {},
    takeBack: false,
  };
  return stub.createConnection({ ...request, ...over }, { caller, deadlineMs: 20_000 });
}
