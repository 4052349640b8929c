import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { openInfra } from '@parley/kit/testing/infra';
import { type Replica, connectReplica } from '@parley/kit/testing/replica';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Asset, AssetServiceService } from '@parley/protos/asset/v1/asset';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AssetConfig } from '../src/config.ts';
import { type AssetOverrides, type AssetServer, startAssetServer } from '../src/server.ts';
import { type Script, Upstream } from './upstream.ts';

/** A silent logger. */
export const SILENT = createLogger({ service: 'asset-test', level: 'silent' });

/** A service with a connection to it. */
export type Running = Replica<AssetServer, typeof AssetServiceService>;

/** A database, broker subjects, a folder of blobs and an upstream of one test file, and the services started on them. */
export async function openFixture() {
  const infra = await openInfra('asset', SILENT);
  const { databaseUrl, natsUrl, sql, openBus } = infra;
  const bus = openBus();
  const folder = await mkdtemp(join(tmpdir(), 'parley-asset-'));
  const upstream = new Upstream();
  const services = await upstream.serve(SILENT);
  const running: Running[] = [];
  return {
    databaseUrl,
    bus,
    sql,
    folder,
    upstream,
    /** Starts one more replica. */
    start: async (config: Partial<AssetConfig> = {}, overrides: AssetOverrides = {}): Promise<Running> => {
      const itsBus = overrides.bus ?? openBus();
      const defaults: AssetConfig = {
        ...{ databaseUrl, natsUrl, listen: 'in-process', instance: `asset-${running.length + 1}`, logLevel: 'silent' },
        ...{ chatRoutingAddress: services.routing.address, conversationAddress: services.conversation.address },
        ...{ secretKeys: [Buffer.alloc(32, 1)], blobs: { kind: 'folder', path: folder }, httpListen: '127.0.0.1:0', httpUrl: undefined },
        ...{ maxBytes: 200 * 1_024 ** 2, workers: 4, ingestTimeoutMs: 60_000, retentionMs: undefined },
        ...{ maxActionInputBytes: 20 * 1_024 ** 2, actionInputTtlMs: 86_400_000 },
      };
      const server = await startAssetServer({ ...defaults, ...config }, { log: SILENT, bus: itsBus, ...overrides });
      const one = connectReplica(AssetServiceService, server, async () => {
        if (!overrides.bus) await itsBus.drain();
      });
      running.push(one);
      return one;
    },
    /** Every file in the blob folder, half written ones too. */
    files: () => filesIn(folder),
    close: async () => {
      await Promise.all(running.map((one) => one.stop()));
      await bus.drain();
      await infra.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** What `openFixture` gives. */
export type TestFixture = Awaited<ReturnType<typeof openFixture>>;

/** Every file below a folder, by name. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** A key of a workspace of its own. */
export function newCaller(part: Partial<Caller> = {}): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: '', scopes: [], requestId: 'r', ...part };
}

/** A conversation of the caller, made upstream. */
export function newConversation(upstream: Upstream, caller: Caller, roles: Record<string, string> = {}): string {
  const id = uuidv7();
  upstream.conversations.set(id, { workspaceId: caller.workspaceId, roles });
  return id;
}

/** An artifact as chat-routing reports it. */
export function artifact(upstream: Upstream, script: Script, part: { assetType?: string; fileName?: string; mimeType?: string } = {}) {
  const assetId = uuidv7();
  const reference = `ref-${assetId}`;
  upstream.artifacts.set(reference, script);
  return { assetId, assetType: 'image', fileName: 'picture.png', mimeType: 'image/png', connectionId: uuidv7(), reference, ...part };
}

/** Registers artifacts of a new message; gives what to ask for them with. */
export async function register({ stub }: Running, caller: Caller, artifacts: ReturnType<typeof artifact>[], conversationId = uuidv7()) {
  const messageId = uuidv7();
  const { assets } = await stub.registerArtifacts({ conversationId, messageId, artifacts }, { caller });
  return { conversationId, messageId, assets };
}

/** Waits for an asset to be in a status, and gives it. */
export function reaches({ stub }: Running, caller: Caller, id: string, status: string): Promise<Asset> {
  return waitFor(async () => {
    const asset = await stub.getAsset({ id }, { caller });
    return asset.status === status ? asset : undefined;
  });
}
