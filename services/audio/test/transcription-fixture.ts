import { connectBus } from '@parley/kit/bus/bus';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type Call, type Caller } from '@parley/kit/rpc/call';
import { connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { createTestDatabase } from '@parley/kit/testing/database';
import { isolateBus } from '@parley/kit/testing/isolate-bus';
import { AudioServiceService, type TranscribeRequest } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import {
  type AcquiredConnection,
  ChatRoutingServiceService,
  type Connection,
  type ReportConnectionRequest,
} from '@parley/protos/routing/v1/routing';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pg from 'pg';
import { readAudioConfig } from '../src/config.ts';
import { startAudioServer } from '../src/server.ts';
import { type TranscriptionConfig } from '../src/transcription/transcription-config.ts';
import { fakePocketsphinx } from './fake-pocketsphinx.ts';

/** chat-routing as transcription sees it. */
class Routing {
  connection: AcquiredConnection | undefined;
  refusal = new GatewayError('ACCOUNT_NOT_CONNECTED', 'none is connected');
  readonly reports: ReportConnectionRequest[] = [];

  handlers(): Handlers<typeof ChatRoutingServiceService> {
    const table = {
      acquireConnection: async (_request: unknown, _call: Call) => {
        if (!this.connection) throw this.refusal;
        return this.connection;
      },
      reportConnection: async (report: ReportConnectionRequest) => {
        this.reports.push(report);
        return {};
      },
      listConnections: async () => {
        const connections = this.connection ? [{ status: 'active' } as Connection] : [];
        return { connections, total: connections.length };
      },
    };
    return table as unknown as Handlers<typeof ChatRoutingServiceService>;
  }
}

/** An audio service with its own database, broker subjects and folders, with an engine that does as `script` says. */
export async function openFixture(script: string, transcription: Partial<TranscriptionConfig> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-audio-'));
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) });
  const log = createLogger({ service: 'audio-test', level: 'trace', destination });
  const database = await createTestDatabase();
  const bus = isolateBus(connectBus({ url: process.env.NATS_URL ?? '', name: 'audio-test', log }), `t${uuidv7()}`);
  const routing = new Routing();
  const upstream = await serve(ChatRoutingServiceService, routing.handlers(), 'in-process', log);
  const engine = await fakePocketsphinx(join(folder, 'engine'), script);
  const config = readAudioConfig({
    ...{
      DATABASE_URL: database.url,
      NATS_URL: process.env.NATS_URL,
      PARLEY_LISTEN: '127.0.0.1:0',
      PARLEY_CHAT_ROUTING_ADDRESS: 'in-process',
    },
    ...{ PARLEY_SECRET_KEYS: `k:${Buffer.alloc(32, 1).toString('base64')}`, PARLEY_BLOB_STORE: join(folder, 'blobs'), PATH: '' },
    ...{ PARLEY_POCKETSPHINX: engine, PARLEY_AUDIO_SCRATCH: join(folder, 'scratch') },
  });
  const ours = { listen: 'in-process' as const, chatRoutingAddress: upstream.address };
  const server = await startAudioServer({ ...config, ...ours, transcription: { ...config.transcription, ...transcription } }, { log, bus });
  const stub = connect(AudioServiceService, server.address);
  const sql = new pg.Pool({ connectionString: database.url, max: 2, options: '-c search_path=audio' });
  return {
    ...{ folder, lines, routing, stub, sql, engine },
    /** What lies where recordings are worked on. */
    scratch: async () => {
      const entries = await readdir(join(folder, 'scratch'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    /** The one row of a workspace. */
    row: async ({ workspaceId }: Caller) => {
      const { rows } = await sql.query<Record<string, unknown>>('SELECT * FROM transcriptions WHERE workspace_id = $1', [workspaceId]);
      return rows[0];
    },
    close: async () => {
      stub.close();
      await server[Symbol.asyncDispose]();
      await upstream.close();
      await bus.drain();
      await sql.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What `openFixture` gives. */
export type TestFixture = Awaited<ReturnType<typeof openFixture>>;

/** A key of a workspace of its own. */
export function newCaller(): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: '', scopes: [], requestId: 'r' };
}

/** A recording as the edge sends it. */
export async function* frames(
  bytes: Buffer,
  head: { language?: string; conversationId?: string; wantsTimes?: boolean } = {},
): AsyncGenerator<TranscribeRequest> {
  const about = { fileName: 'x.wav', declaredType: 'audio/wav', language: '', conversationId: '', wantsTimes: false };
  yield { frame: { $case: 'head', value: { ...about, ...head } } };
  for (let at = 0; at < bytes.length; at += 65_536) yield { frame: { $case: 'chunk', value: bytes.subarray(at, at + 65_536) } };
}
