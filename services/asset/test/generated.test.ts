import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Asset, type GeneratedHead, type KeepGeneratedRequest } from '@parley/protos/asset/v1/asset';
import { type AssetChanged, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_STREAM, EVENT_SUBJECTS } from '@parley/protos/subjects';
import { createHash } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOB_KEY_SCHEME, toBlobKey } from '../src/domain/blob-key.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { type SweepDeps, sweepExpiredAssets, sweepOrphanedBlobs } from '../src/sweep/sweep.ts';
import { HTML, PNG, textOf, wavOf } from './files.ts';
import { type TestFixture, type Running, SILENT, artifact, newCaller, openFixture, register } from './fixture.ts';
import { consistsOf } from './upstream.ts';

const MAX_BYTES = 500_000;
const DAY_SECONDS = 86_400;
const WAV = wavOf(200_000);

let fixture: TestFixture;
/** Over gRPC, and without: two replicas. */
let service: Running;
let beside: Running;
let database: Database;
let sweep: SweepDeps;
let caller: Caller;
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start({ listen: '127.0.0.1:0', maxBytes: MAX_BYTES });
  beside = await fixture.start({ maxBytes: MAX_BYTES, retentionMs: 3_600_000 });
  database = openDatabase(fixture.databaseUrl, SILENT);
  sweep = { database, blobs: await openBlobStore({ kind: 'folder', path: fixture.folder }), log: SILENT };
});
afterAll(async () => {
  await database.close();
  await fixture.close();
});
beforeEach(() => {
  caller = newCaller();
});

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function headOf(bytes: Buffer, part: Partial<GeneratedHead> = {}): GeneratedHead {
  const file = { fileName: 'speech.wav', declaredType: 'audio/wav' };
  return { assetId: uuidv7(), assetType: 'audio', file, sha256: digest(bytes), keepSeconds: DAY_SECONDS, ...part };
}

/** The frames of a file; `between` is waited for behind its first chunk. */
async function* frames(head: GeneratedHead, bytes: Buffer, between?: () => Promise<unknown>): AsyncGenerator<KeepGeneratedRequest> {
  yield { frame: { $case: 'head', value: head } };
  for (let at = 0; at < bytes.length; at += 65_536) {
    yield { frame: { $case: 'chunk', value: bytes.subarray(at, at + 65_536) } };
    if (at === 0) await between?.();
  }
}

const keep = (head: GeneratedHead, bytes: Buffer = WAV, by = caller, { stub } = service): Promise<Asset> =>
  stub.keepGenerated(frames(head, bytes), { caller: by });
const blobsOf = async (id: string) => (await fixture.files()).filter((name) => name.startsWith(id));
const lifeOf = async (id: string): Promise<number> => {
  const { rows } = await fixture.sql.query<{ seconds: number }>(
    'SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM assets WHERE id = $1',
    [id],
  );
  return rows[0]?.seconds ?? 0;
};

describe('a generated file', () => {
  it('is an asset of its workspace like any other', async () => {
    const head = headOf(WAV);
    const kept = await keep(head);
    expect(kept).toMatchObject({
      ...{ id: head.assetId, assetType: 'audio', fileName: 'speech.wav', mimeType: 'audio/wav', sizeBytes: WAV.length, status: 'ready' },
      ...{ sha256: head.sha256, conversationId: '', messageId: '', retryCount: 0 },
    });
    await expect(service.stub.getAsset({ id: kept.id }, { caller })).resolves.toEqual(kept);
    const { path, baseUrl } = await service.stub.openDownload({ id: kept.id }, { caller });
    const answer = await fetch(baseUrl + path);
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect(Buffer.from(await answer.arrayBuffer()).equals(WAV)).toBe(true);
    for (const ask of [service.stub.getAsset, service.stub.openDownload]) {
      await expect(ask({ id: kept.id }, { caller: newCaller() })).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
    }
  });

  it('is announced as other assets are, once', async () => {
    const [head, last] = [headOf(WAV), headOf(WAV)];
    const received: AssetChanged[] = [];
    const consuming = fixture.bus.consume({
      ...{ stream: EVENT_STREAM, durable: 'test-generated', filterSubject: EVENT_SUBJECTS.assetReady },
      handler: (bytes) => {
        for (const { payload } of EventBatch.decode(bytes).events) if (payload?.$case === 'assetChanged') received.push(payload.value);
      },
    });
    for (const one of [head, head, last]) await keep(one);
    await waitFor(() => received.some(({ assetId }) => assetId === last.assetId));
    await consuming.stop();
    expect(received.filter(({ assetId }) => assetId === head.assetId)).toEqual([
      expect.objectContaining({ workspaceId: caller.workspaceId, conversationId: '', assetType: 'audio', status: 'ready' }),
    ]);
  });

  it('is kept once, however often it is sent, and what is sent again is not read', async () => {
    const head = headOf(WAV);
    const first = await keep(head);
    let read = 0;
    const again = beside.stub.keepGenerated(
      frames(head, WAV, async () => void read++),
      { caller },
    );
    await expect(again).resolves.toEqual(first);
    await expect(keep({ ...head, assetId: head.assetId.toUpperCase() })).resolves.toEqual(first);
    expect(read).toBe(0);
    await expect(blobsOf(first.id)).resolves.toHaveLength(1);
  });

  it('is kept once when it is sent twice at once', async () => {
    const head = headOf(WAV);
    let waiting = 0;
    // Both have been found unknown before either is whole.
    const both = () => waitFor(() => waiting === 2);
    const send = () =>
      beside.stub.keepGenerated(
        frames(head, WAV, () => (waiting++, both())),
        { caller },
      );
    const [one, other] = await Promise.all([send(), send()]);
    expect(other).toEqual(one);
    await waitFor(async () => (await blobsOf(head.assetId)).length === 1);
    const { path, baseUrl } = await beside.stub.openDownload({ id: head.assetId }, { caller });
    expect(Buffer.from(await (await fetch(baseUrl + path)).arrayBuffer()).equals(WAV)).toBe(true);
  });

  it('rejects the id of another workspace’s asset', async () => {
    const head = headOf(WAV);
    await keep(head);
    await expect(keep(head, WAV, newCaller())).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
    const other = wavOf(10);
    await expect(keep({ ...head, sha256: digest(other) }, other)).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'asset_id',
    });
    const made = artifact(fixture.upstream, consistsOf(PNG));
    await register(service, caller, [made]);
    await expect(keep({ ...head, assetId: made.assetId })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'asset_id' });
    await expect(blobsOf(head.assetId)).resolves.toHaveLength(1);
    // Its bytes come by themselves, which the next tests must not take for their own.
    await waitFor(async () => (await blobsOf(made.assetId)).length === 1);
    await expect(keep(headOf(WAV), WAV, newCaller({ workspaceId: '' }))).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
  });
});

describe('a file that cannot be kept', () => {
  const LARGE = wavOf(MAX_BYTES);
  it.each<[string, Buffer, Partial<GeneratedHead>, object]>([
    ['no bytes', Buffer.alloc(0), {}, { condition: 'VALIDATION_ERROR', param: 'file' }],
    ['a page called a recording', HTML, {}, { condition: 'UNSUPPORTED_FILE_TYPE' }],
    ['a picture', PNG, { file: { fileName: 'a.png', declaredType: 'image/png' } }, { condition: 'UNSUPPORTED_FILE_TYPE' }],
    ['text', textOf(100), { file: { fileName: 'a.txt', declaredType: '' } }, { condition: 'UNSUPPORTED_FILE_TYPE' }],
    ['too many bytes', LARGE, {}, { condition: 'FILE_TOO_LARGE' }],
    ['other bytes than were announced', WAV, { sha256: digest(PNG) }, { condition: 'UPLOAD_FAILED' }],
    ['no checksum', WAV, { sha256: '' }, { condition: 'VALIDATION_ERROR', param: 'sha256' }],
    ['another type', WAV, { assetType: 'image' }, { condition: 'VALIDATION_ERROR', param: 'asset_type' }],
    ['an id that is none', WAV, { assetId: 'mine' }, { condition: 'VALIDATION_ERROR', param: 'asset_id' }],
    ['no end', WAV, { keepSeconds: 0 }, { condition: 'VALIDATION_ERROR', param: 'keep_seconds' }],
  ])('has %s, and nothing of it is left', async (_what, bytes, part, error) => {
    const before = await fixture.files();
    const head = headOf(bytes, part);
    await expect(keep(head, bytes)).rejects.toMatchObject(error);
    // Bytes of an earlier test may be deleted meanwhile.
    expect((await fixture.files()).filter((name) => !before.includes(name))).toEqual([]);
    await expect(service.stub.getAsset({ id: head.assetId }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
  });

  it('was not sent to its end, and nothing of it is left', async () => {
    const before = await fixture.files();
    const head = headOf(WAV);
    const stop = new AbortController();
    const sending = service.stub.keepGenerated(
      frames(head, WAV, async () => stop.abort()),
      { caller, signal: stop.signal },
    );
    await expect(sending).rejects.toMatchObject({ condition: 'CANCELLED' });
    await waitFor(async () => (await fixture.files()).every((name) => before.includes(name)));
    await expect(service.stub.getAsset({ id: head.assetId }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    await expect(keep(head)).resolves.toMatchObject({ status: 'ready' });
  });
});

describe('the time of a generated file', () => {
  it('is what its maker says, unless the operator says how long generated files are kept', async () => {
    const [own, operators] = [headOf(WAV), headOf(WAV)];
    await keep(own);
    await keep(operators, WAV, caller, beside);
    await expect(lifeOf(own.assetId)).resolves.toBe(DAY_SECONDS);
    await expect(lifeOf(operators.assetId)).resolves.toBe(3_600);
  });

  it('ends with its row and its bytes, and until then only stray bytes are swept', async () => {
    const { assetId: id } = headOf(WAV);
    await keep(headOf(WAV, { assetId: id }));
    const [kept = ''] = await blobsOf(id);
    const long = new Date(Date.now() - 2 * 3_600_000);
    const stray = toBlobKey(id, 7);
    await writeFile(join(fixture.folder, stray), 'x');
    for (const key of [stray, `assets/${id.slice(-2)}/${kept}`]) {
      expect(BLOB_KEY_SCHEME.parse(key)?.id).toBe(id);
      await utimes(join(fixture.folder, key), long, long);
    }
    await expect(sweepOrphanedBlobs(sweep)).resolves.toBe(1);
    await expect(blobsOf(id)).resolves.toEqual([kept]);
    await fixture.sql.query(`UPDATE assets SET expires_at = expires_at - interval '1 day' WHERE id = $1`, [id]);
    await expect(sweepExpiredAssets(sweep)).resolves.toBe(1);
    await expect(service.stub.getAsset({ id }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    await expect(blobsOf(id)).resolves.toEqual([]);
  });
});
