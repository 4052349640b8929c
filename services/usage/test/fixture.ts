import { type Bus } from '@parley/kit/bus/bus';
import { createLogger } from '@parley/kit/log/logger';
import { connect } from '@parley/kit/rpc/client';
import { openInfra } from '@parley/kit/testing/infra';
import { waitFor } from '@parley/kit/testing/wait-for';
import {
  type ActionRunChanged,
  type Event,
  EventBatch,
  type RequestsRefused,
  type SpeechEnded,
  type SpeechJobChanged,
  type TranscriptionEnded,
  type TurnEnded,
} from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import { randomUUID } from 'node:crypto';
import { type UsageConfig } from '../src/config.ts';
import { startUsageServer, type UsageOverrides, type UsageServer } from '../src/server.ts';

/** Ids of a caller; empty for a caller without key or workspace. */
export interface CallerIds {
  workspaceId: string;
  keyId: string;
}

/** A database and broker subjects of one test file, and the services started on them. */
export async function openFixture() {
  const infra = await openInfra('usage', createLogger({ service: 'usage-test', level: 'silent' }));
  const { databaseUrl, natsUrl, sql, openBus } = infra;
  const bus = openBus();
  const running: (() => Promise<void>)[] = [];
  return {
    databaseUrl,
    natsUrl,
    bus,
    /** Starts one more replica. */
    start: async (config: Partial<UsageConfig> = {}, overrides: UsageOverrides = {}): Promise<UsageServer> => {
      const defaults: UsageConfig = { databaseUrl, natsUrl, listen: 'in-process', logLevel: 'silent' };
      const ownBus = openBus(config.natsUrl);
      const server = await startUsageServer({ ...defaults, ...config }, { bus: ownBus, ...overrides });
      running.push(async () => {
        await server[Symbol.asyncDispose]();
        await ownBus.drain();
      });
      return server;
    },
    /** Counts rows directly in the database. */
    stored: async () => {
      const { rows } = await sql.query<{ records: number; requests: number; tokens: number }>(
        `SELECT (SELECT count(*) FROM usage_record)::int AS records,
                coalesce(sum(successful + errors + rate_limited), 0)::int AS requests, coalesce(sum(tokens_in + tokens_out), 0)::int AS tokens
         FROM daily_rollup`,
      );
      return rows[0];
    },
    sql,
    close: async () => {
      await Promise.all(running.map((stop) => stop()));
      await bus.drain();
      await infra.close();
    },
  };
}

/** Reads the report of a replica. */
export async function report(server: UsageServer, callerIds: CallerIds, period = '7d') {
  const stub = connect(UsageServiceService, server.address);
  try {
    return await stub.getUsage({ period }, { caller: { ...callerIds, userId: '', scopes: [], requestId: 'r' } });
  } finally {
    stub.close();
  }
}

/** A turn that ended just now. */
export function turn(callerIds: CallerIds, part: Partial<TurnEnded> = {}): Event {
  const ids = { turnId: randomUUID(), conversationId: randomUUID(), messageId: randomUUID(), connectionId: randomUUID() };
  const value = {
    ...ids,
    ...callerIds,
    model: 'sandbox-1',
    status: 'completed',
    errorCondition: '',
    tokensIn: 3,
    tokensOut: 5,
    durationMs: 20,
    endedAt: new Date(),
    artifacts: [],
  };
  return { id: randomUUID(), payload: { $case: 'turnEnded', value: { ...value, ...part } } };
}

/** A speech job that ended just now. */
export function speechJob(callerIds: CallerIds, part: Partial<SpeechJobChanged> = {}): Event {
  const value = {
    ...{ jobId: randomUUID(), ...callerIds, provider: 'flite', voice: 'slt', status: 'completed', errorCondition: '', inputCharacters: 40 },
    ...{ durationMs: 20, at: new Date(), model: 'tts-1', audioMs: 0, progress: 0 },
  };
  return { id: randomUUID(), payload: { $case: 'speechJobChanged', value: { ...value, ...part } } };
}

/** Synchronous speech that ended just now. */
export function speech(callerIds: CallerIds, part: Partial<SpeechEnded> = {}): Event {
  const value = {
    ...{ speechId: randomUUID(), ...callerIds, provider: 'flite', status: 'completed', errorCondition: '', inputCharacters: 12 },
    ...{ durationMs: 20, at: new Date(), model: 'tts-1' },
  };
  return { id: randomUUID(), payload: { $case: 'speechEnded', value: { ...value, ...part } } };
}

/** A transcription that ended just now. */
export function transcription(callerIds: CallerIds, part: Partial<TranscriptionEnded> = {}): Event {
  const value = {
    ...{
      transcriptionId: randomUUID(),
      ...callerIds,
      provider: 'pocketsphinx',
      status: 'completed',
      errorCondition: '',
      mimeType: 'audio/wav',
    },
    ...{ sizeBytes: 1_000, language: 'en', audioMs: 2_000, durationMs: 20, at: new Date(), model: 'whisper-1' },
  };
  return { id: randomUUID(), payload: { $case: 'transcriptionEnded', value: { ...value, ...part } } };
}

/** A run of an action that ended just now. */
export function actionRun(callerIds: CallerIds, part: Partial<ActionRunChanged> = {}): Event {
  const value = {
    ...{ runId: randomUUID(), ...callerIds, slug: 'tidy-up', version: 1, status: 'succeeded', errorCondition: '' },
    ...{ durationMs: 20, at: new Date(), sequence: 9 },
  };
  return { id: randomUUID(), payload: { $case: 'actionRunChanged', value: { ...value, ...part } } };
}

/** Requests that the edge rejected just now. */
export function refusals(callerIds: CallerIds, part: Partial<RequestsRefused> = {}): Event {
  return {
    id: randomUUID(),
    payload: { $case: 'requestsRefused', value: { ...callerIds, errors: 0, rateLimited: 1, at: new Date(), ...part } },
  };
}

const SUBJECTS: Readonly<Record<string, string>> = {
  requestsRefused: EVENT_SUBJECTS.requestRefused,
  speechJobChanged: EVENT_SUBJECTS.speechJobCompleted,
  speechEnded: EVENT_SUBJECTS.speechCompleted,
  transcriptionEnded: EVENT_SUBJECTS.transcriptionCompleted,
  actionRunChanged: EVENT_SUBJECTS.actionRunEnded,
};

/** Publishes events like their services: in batches, on the subject of their type. Waits until the stream is declared. */
export async function publish(bus: Bus, events: readonly Event[], batch = 10): Promise<void> {
  for (let index = 0; index < events.length; index += batch) {
    const slice = events.slice(index, index + batch);
    await publishBytes(
      bus,
      SUBJECTS[slice[0]?.payload?.$case ?? ''] ?? EVENT_SUBJECTS.turnCompleted,
      EventBatch.encode({ events: slice }).finish(),
    );
  }
}

/** Publishes a raw message. */
export async function publishBytes(bus: Bus, subject: string, bytes: Uint8Array): Promise<void> {
  await waitFor(async () => {
    await bus.publish(subject, bytes, { msgId: randomUUID() });
    return true;
  });
}
