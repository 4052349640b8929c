import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type BlobStore } from '@parley/kit/blob/blob-store';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { connectBus } from '@parley/kit/bus/bus';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { once } from 'node:events';
import { PNG, textOf } from './files.ts';
import { type TestFixture, type Running, SILENT, artifact, newCaller, newConversation, openFixture, reaches, register } from './fixture.ts';
import { consistsOf, gate } from './upstream.ts';

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const blobsOf = async (id: string) => (await fixture.files()).filter((name) => name.startsWith(id));

describe('a full disk', () => {
  let full: boolean;
  let service: Running;
  beforeAll(async () => {
    const blobs = await openBlobStore({ kind: 'folder', path: fixture.folder });
    service = await fixture.start({}, { blobs: filling(blobs, () => full) });
  });
  afterAll(() => service.stop());

  it('fails an upload with UPLOAD_FAILED, leaves nothing, and is over when there is room again', async () => {
    const caller = newCaller();
    const conversationId = newConversation(fixture.upstream, caller);
    const upload = () =>
      service.stub.uploadAttachment(
        (async function* () {
          yield { frame: { $case: 'head' as const, value: { conversationId, file: { fileName: 'a.txt', declaredType: '' } } } };
          for (let times = 0; times < 8; times++) yield { frame: { $case: 'chunk' as const, value: textOf(65_536) } };
        })(),
        { caller },
      );
    const before = await fixture.files();
    full = true;
    await expect(upload()).rejects.toMatchObject({ condition: 'UPLOAD_FAILED' });
    await expect(fixture.files()).resolves.toEqual(before);
    full = false;
    await expect(upload()).resolves.toMatchObject({ asset: { status: 'ready' } });
  });

  it('fails an ingestion, which can be retried when there is room again', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, consistsOf(PNG));
    full = true;
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'failed')).resolves.toMatchObject({ errorCondition: 'UPLOAD_FAILED' });
    await expect(blobsOf(one.assetId)).resolves.toEqual([]);
    full = false;
    await service.stub.retryAsset({ id: one.assetId }, { caller });
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ retryCount: 1 });
  });
});

describe('without its neighbours', () => {
  let proxy: FaultProxy | undefined;
  afterEach(() => proxy?.close());

  async function through(target: string): Promise<string> {
    const url = new URL(target);
    proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    return url.href;
  }

  it('goes on where it stood once the database is back', async () => {
    const caller = newCaller();
    const held = gate();
    const one = artifact(fixture.upstream, async function* (attempt, signal) {
      yield { frame: { $case: 'head', value: { mimeType: '', fileName: '', sizeBytes: undefined } } };
      await held.opened;
      for await (const frame of consistsOf(PNG)(attempt, signal)) if (frame.frame?.$case === 'chunk') yield frame;
    });
    const databaseUrl = await through(fixture.databaseUrl);
    const service = await fixture.start({ databaseUrl }, { leaseMs: 1_000 });
    await register(service, caller, [one]);
    await waitFor(() => fixture.upstream.fetches.get(one.reference) === 1);
    proxy?.cut();
    await expect(service.stub.getAsset({ id: one.assetId }, { caller })).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    await waitFor(async () => !(await service.server.ready()).ready);
    held.open();
    proxy?.resume();
    await reaches(service, caller, one.assetId, 'ready');
    await waitFor(async () => (await blobsOf(one.assetId)).length === 1);
    await service.stop();
  });

  it('fetches and serves without the broker, and says that events wait', async () => {
    const caller = newCaller();
    const bus = connectBus({ url: 'nats://127.0.0.1:1', name: 'nowhere', log: SILENT });
    const service = await fixture.start({}, { bus });
    const one = artifact(fixture.upstream, consistsOf(PNG));
    await register(service, caller, [one]);
    await reaches(service, caller, one.assetId, 'ready');
    const { rows } = await fixture.sql.query('SELECT 1 FROM outbox LIMIT 1');
    expect(rows).toHaveLength(1);
    await expect(service.server.ready()).resolves.toMatchObject({ ready: true });
    await service.stop();
    await bus.drain();
  });

  it('waits for chat-routing as long as it takes, within bounds', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, consistsOf(PNG));
    const service = await fixture.start({ chatRoutingAddress: '127.0.0.1:1', ingestTimeoutMs: 4_000 });
    await register(service, caller, [one]);
    await expect(reaches(service, caller, one.assetId, 'failed')).resolves.toMatchObject({ errorCondition: 'SERVICE_UNAVAILABLE' });
    await service.stop();
  });
});

/** A store that begins to write, and then has no room. */
function filling(blobs: BlobStore, isFull: () => boolean): BlobStore {
  const noRoom = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  return {
    put: async (key, bytes, options) => {
      if (!isFull()) return blobs.put(key, bytes, options);
      await once(bytes, 'readable');
      bytes.destroy();
      throw noRoom;
    },
    getRange: (key, range) => blobs.getRange(key, range),
    head: (key) => blobs.head(key),
    delete: (key) => blobs.delete(key),
    list: (folder) => blobs.list(folder),
    deletePartialUploads: () => blobs.deletePartialUploads(),
  };
}
