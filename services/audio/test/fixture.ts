import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { openInfra } from '@parley/kit/testing/infra';
import { type Replica, connectReplica } from '@parley/kit/testing/replica';
import { waitFor } from '@parley/kit/testing/wait-for';
import { AudioServiceService, type CreateJobRequest, type Job } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type AcquireConnectionRequest, type ReportConnectionRequest, ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioConfig } from '../src/config.ts';
import { type AudioOverrides, type AudioServer, startAudioServer } from '../src/server.ts';

/** A silent logger. */
export const SILENT = createLogger({ service: 'audio-test', level: 'silent' });

/** A service with a connection to it. */
export type Running = Replica<AudioServer, typeof AudioServiceService>;

/** A database, a broker prefix and a blob folder for one test file, a scripted chat-routing, and services on them. */
export async function openFixture() {
  const infra = await openInfra('audio', SILENT);
  const { databaseUrl, natsUrl, sql, openBus } = infra;
  const folder = await mkdtemp(join(tmpdir(), 'parley-audio-'));
  /** The workspaces that have a speech server or an ElevenLabs account, where that is, which is the default, and what was reported of them. */
  const upstream = {
    ...{ baseUrls: new Map<string, string>(), elevenLabs: new Map<string, string>(), defaults: new Map<string, string>() },
    reports: [] as ReportConnectionRequest[],
  };
  const routing = await serve(ChatRoutingServiceService, routingOf(upstream), 'in-process', SILENT);
  const running: Running[] = [];
  return {
    sql,
    folder,
    upstream,
    openBus,
    databaseUrl,
    /** Starts one more replica. */
    start: async (config: Partial<AudioConfig> = {}, overrides: AudioOverrides = {}): Promise<Running> => {
      const bus = openBus();
      const defaults: AudioConfig = {
        ...{ databaseUrl, natsUrl, listen: 'in-process', instance: `audio-${running.length + 1}`, logLevel: 'silent' },
        ...{ chatRoutingAddress: routing.address, secretKeys: [Buffer.alloc(32, 1)], blobs: { kind: 'folder', path: folder } },
        ...{ httpListen: '127.0.0.1:0', httpUrl: undefined, workers: 2, workspaceConcurrency: 4, dailyCharacters: 1_000_000 },
        retentionMs: 86_400_000,
        espeak: { espeak: 'none', path: '' },
        transcription: {
          ...{
            pocketsphinx: { location: undefined, models: undefined, path: '' },
            scratchFolder: join(folder, 'recordings'),
            maxBytes: 1_000_000,
          },
          ...{ maxDurationMs: 60_000, timeoutMs: 60_000, concurrency: 1, workspaceConcurrency: 1, maxAdmitted: 4 },
        },
      };
      const server = await startAudioServer({ ...defaults, ...config }, { log: SILENT, bus, ...overrides });
      const one = connectReplica(AudioServiceService, server, () => bus.drain());
      running.push(one);
      return one;
    },
    /** Every file in the blob folder, half written ones too. */
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    close: async () => {
      await Promise.all(running.map((one) => one.stop()));
      await infra.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** What `openFixture` gives. */
export type TestFixture = Awaited<ReturnType<typeof openFixture>>;

/** Where the connections of each workspace lead, by provider. */
interface Connected {
  baseUrls: ReadonlyMap<string, string>;
  elevenLabs: ReadonlyMap<string, string>;
  /** The provider of a workspace's default connection. */
  defaults: ReadonlyMap<string, string>;
  reports: ReportConnectionRequest[];
}

/** Methods that audio never calls do not exist. */
function routingOf({ baseUrls, elevenLabs, defaults, reports }: Connected) {
  const urls = new Map([
    ['openai-speech', baseUrls],
    ['elevenlabs', elevenLabs],
  ]);
  const handlers = {
    listConnections: async (_request: unknown, { caller: { workspaceId } }: { caller: Caller }) => {
      const connected = [...urls].filter(([, of]) => of.has(workspaceId));
      const connections = connected.map(([provider]) => ({
        ...{ provider, status: 'active', isDefault: defaults.get(workspaceId) === provider },
      }));
      return { connections, total: connections.length };
    },
    acquireConnection: async ({ provider = '' }: AcquireConnectionRequest, { caller: { workspaceId } }: { caller: Caller }) => {
      const baseUrl = urls.get(provider)?.get(workspaceId);
      if (baseUrl === undefined) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no such connection');
      const models = provider === 'elevenlabs' ? ['eleven_multilingual_v2', 'eleven_flash_v2_5', 'eleven_v3'] : ['tts-1'];
      return { id: 'c', provider, label: 'l', secret: 's', models, probing: false, account: '', baseUrl };
    },
    reportConnection: async (report: ReportConnectionRequest) => {
      reports.push(report);
      return {};
    },
  };
  return handlers as unknown as Handlers<typeof ChatRoutingServiceService>;
}

/** A key of a workspace of its own. */
export function newCaller(part: Partial<Caller> = {}): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: '', scopes: [], requestId: 'r', ...part };
}

/** A job that asks for a short sentence. */
export function request(part: Partial<CreateJobRequest> = {}): CreateJobRequest {
  return {
    ...{
      input: 'Hello world.',
      voice: 'kal',
      provider: '',
      responseFormat: '',
      idempotencyKey: '',
      model: '',
      language: '',
      providerOptions: '',
    },
    requestDigest: Buffer.alloc(32),
    ...part,
  };
}

/** Waits for a job to be in a status, and gives it. */
export function reaches({ stub }: Running, caller: Caller, id: string, status: string): Promise<Job> {
  return waitFor(async () => {
    const job = await stub.getJob({ id }, { caller });
    return job.status === status ? job : undefined;
  });
}
