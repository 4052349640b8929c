import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import type { Caller } from '@parley/kit/rpc/call';
import { type Stub, connect } from '@parley/kit/rpc/client';
import { ask } from '@parley/kit/rpc/exchange';
import type { Listen } from '@parley/kit/rpc/serve';
import { type TestDatabase, createTestDatabase } from '@parley/kit/testing/database';
import {
  type BeginTurn,
  type Binding,
  ConversationServiceService,
  type EndTurn,
  type RecordRequest,
  type TurnBegun,
} from '@parley/protos/conversation/v1/conversation';
import pg from 'pg';
import { type ConversationOverrides, type ConversationServer, startConversation } from '../src/server.ts';

/** A log that nobody reads. */
export const SILENT = createLogger({ service: 'test', level: 'silent' });

/** A database of its own with any number of services on it. */
export interface Fixture {
  url: string;
  /** Looks behind the service's back. */
  sql: pg.Pool;
  start(options?: StartOptions): Promise<Running>;
  close(): Promise<void>;
}

/** How a service starts. */
export interface StartOptions extends ConversationOverrides {
  listen?: Listen;
  databaseUrl?: string;
  natsUrl?: string;
}

/** A service with a connection to it. */
export interface Running {
  server: ConversationServer;
  stub: Stub<typeof ConversationServiceService>;
  as(caller: Caller): Client;
  stop(): Promise<void>;
}

/** Creates the database; everything started from it stops with it. */
export async function createFixture(): Promise<Fixture> {
  const database: TestDatabase = await createTestDatabase();
  const sql = new pg.Pool({ connectionString: database.url, options: '-c search_path=conversation', max: 2 });
  const running: Running[] = [];
  return {
    url: database.url,
    sql,
    start: async (options = {}) => {
      const one = await startOn(database.url, options);
      running.push(one);
      return one;
    },
    close: async () => {
      for (const one of running) await one.stop();
      await sql.end();
      await database.drop();
    },
  };
}

async function startOn(url: string, { listen = 'in-process', databaseUrl = url, natsUrl, ...overrides }: StartOptions): Promise<Running> {
  const nats = natsUrl ?? process.env.NATS_URL ?? '';
  const config = { databaseUrl, natsUrl: nats, listen, logLevel: 'silent', instance: 'test' } as const;
  const server = await startConversation(config, { log: SILENT, reaperIntervalMs: 3_600_000, ...overrides });
  const stub = connect(ConversationServiceService, server.address);
  return {
    server,
    stub,
    as: (caller) => new Client(stub, caller),
    stop: async () => {
      stub.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Somebody with a key of a workspace. */
export function newCaller(over: Partial<Caller> = {}): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: uuidv7(), scopes: ['chat'], requestId: `req-${uuidv7()}`, ...over };
}

/** The beginning of a turn that opens a conversation. */
export function newBeginning(over: Partial<BeginTurn> = {}): BeginTurn {
  return {
    turnId: uuidv7(),
    conversationId: uuidv7(),
    newConversation: { title: '', upstreamAccountId: 'account-1', upstreamProjectId: '', model: 'auto' },
    sequence: 1,
    messages: [{ id: uuidv7(), role: 'user', text: 'Hello', parts: [] }],
    assistantMessageId: uuidv7(),
    model: 'auto',
    runnerId: uuidv7(),
    idempotencyKey: '',
    requestDigest: Buffer.alloc(0),
    upstreamAccountId: 'account-1',
    ...over,
  };
}

/** The beginning of the turn after another one. */
export function nextBeginning(before: BeginTurn, over: Partial<BeginTurn> = {}): BeginTurn {
  const { conversationId, runnerId } = before;
  return newBeginning({ conversationId, runnerId, sequence: before.sequence + 1, newConversation: undefined, ...over });
}

/** A good end of a turn. */
export function newEnd({ turnId, conversationId, assistantMessageId }: BeginTurn, over: Partial<EndTurn> = {}): EndTurn {
  return {
    ...{ turnId, conversationId, assistantMessageId },
    status: 'completed',
    text: 'Hi there',
    finishReason: 'stop',
    model: 'auto',
    connectionId: 'account-1',
    tokensIn: 3,
    tokensOut: 5,
    durationMs: 120,
    error: undefined,
    upstreamState: '',
    ...over,
  };
}

/** The record as one caller sees it. */
export class Client {
  readonly #stub: Stub<typeof ConversationServiceService>;
  readonly caller: Caller;

  constructor(stub: Stub<typeof ConversationServiceService>, caller: Caller) {
    this.#stub = stub;
    this.caller = caller;
  }

  async open(conversationId: string): Promise<Binding> {
    return this.#ask('open', { conversationId }, 'binding') as Promise<Binding>;
  }

  async begin(beginning: BeginTurn): Promise<TurnBegun> {
    return this.#ask('begin', beginning, 'begun') as Promise<TurnBegun>;
  }

  /** True when what is recorded is what was given. */
  async end(end: EndTurn): Promise<boolean> {
    return ((await this.#ask('end', end, 'closed')) as { closed: boolean }).closed;
  }

  async savePartial(turnId: string, text: string): Promise<void> {
    await this.#ask('partial', { turnId, text }, 'saved');
  }

  /** A whole turn. */
  async turn(beginning: BeginTurn, end: Partial<EndTurn> = {}): Promise<BeginTurn> {
    await this.begin(beginning);
    await this.end(newEnd(beginning, end));
    return beginning;
  }

  /** Roles and texts of a conversation. */
  async history(conversationId: string): Promise<string[]> {
    const { messages } = await this.#stub.listHistory({ conversationId, beforeTurnId: '' }, { caller: this.caller });
    return messages.map(({ role, text }) => `${role}: ${text}`);
  }

  async #ask($case: string, value: unknown, expected: string): Promise<unknown> {
    const request = { question: { $case, value } } as RecordRequest;
    const { answer } = await ask(this.#stub.record, request, { caller: this.caller, deadlineMs: 20_000 });
    if (answer?.$case !== expected) throw new Error(`the record answered ${answer?.$case}`);
    return answer.value;
  }
}
