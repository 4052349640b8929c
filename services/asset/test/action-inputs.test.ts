import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { type ActionInputAsset, type UploadActionInputRequest } from '@parley/protos/asset/v1/asset';
import { type GatewayError } from '@parley/protos/errors';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toBlobKey } from '../src/domain/blob-key.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { sweepExpiredAssets, sweepExpiredInputs } from '../src/sweep/sweep.ts';
import { CSV, EXE, PNG, textOf } from './files.ts';
import { type TestFixture, type Running, SILENT, newCaller, openFixture } from './fixture.ts';

const SLUG = 'summarise-document';
const MAX_BYTES = 300_000;

let fixture: TestFixture;
let service: Running;
let database: Database;
let caller: Caller;
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start({ listen: '127.0.0.1:0', maxActionInputBytes: MAX_BYTES });
  database = openDatabase(fixture.databaseUrl, SILENT);
});
afterAll(async () => {
  await database.close();
  await fixture.close();
});
beforeEach(() => {
  caller = newCaller();
});

async function* frames(fileName: string, bytes: Buffer, actionSlug = SLUG): AsyncGenerator<UploadActionInputRequest> {
  yield { frame: { $case: 'head', value: { actionSlug, file: { fileName, declaredType: '' } } } };
  for (let at = 0; at < bytes.length; at += 65_536) yield { frame: { $case: 'chunk', value: bytes.subarray(at, at + 65_536) } };
}

const upload = (fileName = 'table.csv', bytes: Buffer = CSV, slug = SLUG): Promise<ActionInputAsset> =>
  service.stub.uploadActionInput(frames(fileName, bytes, slug), { caller });
const uploadId = async (...of: Parameters<typeof upload>): Promise<string> => (await upload(...of)).asset?.id ?? '';
const take = (assetIds: string[], runId: string, by = caller, actionSlug = SLUG) =>
  service.stub.consumeActionInputs({ assetIds, runId, actionSlug }, { caller: by });
const list = (by = caller, page = { limit: 0, offset: 0 }) => service.stub.listActionInputs({ actionSlug: SLUG, ...page }, { caller: by });
/** On a busy machine some of many at once wait too long for a connection; a worker tries again, and so does this. */
const answered = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if ((error as GatewayError).condition !== 'SERVICE_UNAVAILABLE' || attempt === 20) throw error;
    }
  }
};
const runOf = async (id: string) => (await list()).assets.find(({ asset }) => asset?.id === id)?.runId;

async function read(assetId: string, runId: string, by = caller) {
  let head: unknown;
  const chunks: Buffer[] = [];
  for await (const { frame } of service.stub.readActionInput({ assetId, runId }, { caller: by })) {
    if (frame?.$case === 'head') head = frame.value;
    else if (frame) chunks.push(frame.value);
  }
  return { head, bytes: Buffer.concat(chunks) };
}

describe('a file for an action', () => {
  it('is kept for a day, listed, and an asset like any other', async () => {
    const first = await upload('photo.png', PNG);
    const second = await upload();
    const { asset, expiresAt, ...rest } = second;
    expect(asset).toMatchObject({
      assetType: 'action_input',
      fileName: 'table.csv',
      mimeType: 'text/csv',
      sizeBytes: CSV.length,
      status: 'ready',
    });
    expect(first.asset).toMatchObject({ mimeType: 'image/png', width: 1, height: 1 });
    expect(rest).toEqual({ actionSlug: SLUG, runId: '' });
    expect((expiresAt?.getTime() ?? 0) - (asset?.createdAt?.getTime() ?? 0)).toBe(86_400_000);
    await expect(list()).resolves.toEqual({ assets: [second, first], total: 2 });
    await expect(list(caller, { limit: 1, offset: 1 })).resolves.toEqual({ assets: [first], total: 2 });
    await expect(service.stub.getAsset({ id: asset?.id ?? '' }, { caller })).resolves.toEqual(asset);
    const { path, baseUrl } = await service.stub.openDownload({ id: asset?.id ?? '' }, { caller });
    await expect((await fetch(baseUrl + path)).text()).resolves.toBe(CSV.toString());
  });

  it.each([
    ['an empty file', 'a.txt', Buffer.alloc(0), SLUG, { condition: 'VALIDATION_ERROR', param: 'file' }],
    ['a program called a PDF', 'a.pdf', EXE, SLUG, { condition: 'UNSUPPORTED_FILE_TYPE' }],
    ['a file that is too large', 'a.txt', textOf(MAX_BYTES + 1), SLUG, { condition: 'FILE_TOO_LARGE' }],
    ['a file of no action', 'a.csv', CSV, 'Not/A Slug', { condition: 'VALIDATION_ERROR', param: 'action_slug' }],
  ])('is refused as %s, and nothing of it is left', async (_what, name, bytes, slug, error) => {
    const files = (await fixture.files()).length;
    await expect(upload(name, bytes, slug)).rejects.toMatchObject(error);
    expect(await fixture.files()).toHaveLength(files);
    await expect(list()).resolves.toEqual({ assets: [], total: 0 });
  });

  it('may be as large as the operator says', async () => {
    await expect(upload('a.txt', textOf(MAX_BYTES))).resolves.toMatchObject({ asset: { sizeBytes: MAX_BYTES } });
  });

  it('is not there for another workspace', async () => {
    const id = await uploadId();
    const other = newCaller();
    await expect(list(other)).resolves.toEqual({ assets: [], total: 0 });
    await expect(take([id], uuidv7(), other)).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    const runId = uuidv7();
    await take([id], runId);
    await expect(read(id, runId, other)).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    await expect(service.stub.getAsset({ id }, { caller: other })).rejects.toMatchObject({ condition: 'ASSET_ACCESS_DENIED' });
  });
});

describe('a run', () => {
  it('is given files in the order it asks, and given them again', async () => {
    const [one, two] = [await uploadId(), await uploadId('photo.png', PNG)];
    const runId = uuidv7();
    const given = await take([two, one.toUpperCase()], runId);
    expect(given.assets.map(({ asset, runId: of }) => [asset?.id, of])).toEqual([
      [two, runId],
      [one, runId],
    ]);
    await expect(take([two, one], runId)).resolves.toEqual(given);
    await expect(take([], runId)).resolves.toEqual({ assets: [] });
    await expect(take([one], uuidv7())).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
  });

  it('is given all of them or none', async () => {
    const [one, of] = [await uploadId(), await uploadId('a.csv', CSV, 'another-action')];
    for (const bad of [uuidv7(), 'not-an-id', of]) {
      await expect(take([one, bad], uuidv7())).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    }
    await expect(runOf(one)).resolves.toBe('');
  });

  it('has a file alone: of fifty at once one gets it', async () => {
    const ids = [await uploadId(), await uploadId()];
    const runs = Array.from({ length: 50 }, () => uuidv7());
    // Half of them ask the other way round, which must not lock them up in each other.
    const settled = await Promise.allSettled(runs.map((run, at) => answered(() => take(at % 2 ? ids : ids.toReversed(), run))));
    const winners = runs.filter((_run, at) => settled[at]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    for (const id of ids) await expect(runOf(id)).resolves.toBe(winners[0]);
  });

  it('reads what was uploaded, and what only it has', async () => {
    const bytes = textOf(200_000);
    const { asset } = await upload('long.txt', bytes);
    const id = asset?.id ?? '';
    const runId = uuidv7();
    await expect(read(id, runId)).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    await take([id], runId);
    const got = await read(id, runId);
    expect(got.head).toMatchObject({ id, fileName: 'long.txt', sizeBytes: bytes.length });
    expect(got.bytes.equals(bytes)).toBe(true);
    await expect(read(id, uuidv7())).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
  });

  it('gets not a frame of bytes that are not those that were uploaded, or gone', async () => {
    const bytes = textOf(200_000);
    const id = await uploadId('long.txt', bytes);
    const runId = uuidv7();
    await take([id], runId);
    bytes[199_999] = 0;
    await writeFile(join(fixture.folder, toBlobKey(id, 0)), bytes);
    let framesSeen = 0;
    const reading = async () => {
      for await (const _ of service.stub.readActionInput({ assetId: id, runId }, { caller })) framesSeen++;
    };
    await expect(reading()).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    await (await openBlobStore({ kind: 'folder', path: fixture.folder })).delete(toBlobKey(id, 0));
    await expect(reading()).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    expect(framesSeen).toBe(0);
  });
});

describe('a file whose time is over', () => {
  const age = (id: string, time: string) =>
    fixture.sql.query(
      `UPDATE action_inputs SET expires_at = expires_at - $2::interval, drop_at = drop_at - $2::interval, created_at = created_at - $2::interval
       WHERE asset_id = $1`,
      [id, time],
    );
  const sweep = async () =>
    sweepExpiredInputs({
      store: { database, notifyChanged: () => undefined },
      blobs: await openBlobStore({ kind: 'folder', path: fixture.folder }),
      log: SILENT,
    });

  it('is no run’s any more, but stays with the run that had it in time', async () => {
    const [late, had] = [await uploadId(), await uploadId()];
    const runId = uuidv7();
    await take([had], runId);
    for (const id of [late, had]) await age(id, '25 hours');
    await expect(take([late], runId)).rejects.toMatchObject({
      condition: 'ASSET_INPUT_INVALID',
      message: expect.stringContaining('expired'),
    });
    await expect(take([had], runId)).resolves.toMatchObject({ assets: [{ runId }] });
  });

  it('loses its bytes, is still listed and says so, and is forgotten after eight days', async () => {
    const [late, had] = [await uploadId(), await uploadId()];
    const runId = uuidv7();
    for (const id of [late, had]) await age(id, '23 hours');
    await take([had], runId);
    for (const id of [late, had]) await age(id, '2 hours');
    await sweep();
    // A run that got it late reads it all the same.
    await expect(read(had, runId)).resolves.toMatchObject({ bytes: CSV });
    expect(await fixture.files()).not.toContain(`${late}-0`);
    await expect(list()).resolves.toMatchObject({ total: 2 });
    await expect(service.stub.getAsset({ id: late }, { caller })).resolves.toMatchObject({
      status: 'failed',
      errorCondition: 'ASSET_INPUT_INVALID',
    });
    await expect(service.stub.openDownload({ id: late }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_READY' });
    await expect(service.stub.retryAsset({ id: late }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_RETRYABLE' });
    await expect(take([late], uuidv7())).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    await age(had, '24 hours');
    await sweep();
    await expect(read(had, runId)).rejects.toMatchObject({ condition: 'ASSET_INPUT_INVALID' });
    await fixture.sql.query(`UPDATE assets SET expires_at = expires_at - interval '9 days 1 minute' WHERE id = ANY ($1)`, [[late, had]]);
    await sweepExpiredAssets({ database, blobs: await openBlobStore({ kind: 'folder', path: fixture.folder }), log: SILENT });
    await expect(list()).resolves.toEqual({ assets: [], total: 0 });
  });
});
