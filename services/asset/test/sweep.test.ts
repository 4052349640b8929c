import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toBlobKey } from '../src/domain/blob-key.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { type SweepDeps, sweepExpiredAssets, sweepOrphanedBlobs } from '../src/sweep/sweep.ts';
import { PNG } from './files.ts';
import { type TestFixture, type Running, SILENT, artifact, newCaller, openFixture, reaches, register } from './fixture.ts';
import { consistsOf } from './upstream.ts';

let fixture: TestFixture;
let service: Running;
let database: Database;
let deps: SweepDeps;
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start({ retentionMs: 3_600_000 });
  database = openDatabase(fixture.databaseUrl, SILENT);
  deps = { database, blobs: await openBlobStore({ kind: 'folder', path: fixture.folder }), log: SILENT };
});
afterAll(async () => {
  await database.close();
  await fixture.close();
});

const LONG_AGO = new Date(Date.now() - 2 * 3_600_000);

async function blob(key: string, modifiedAt?: Date): Promise<string> {
  const path = join(fixture.folder, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'x');
  if (modifiedAt) await utimes(path, modifiedAt, modifiedAt);
  return key;
}

async function readyAsset() {
  const caller = newCaller();
  const one = artifact(fixture.upstream, consistsOf(PNG));
  await register(service, caller, [one]);
  await reaches(service, caller, one.assetId, 'ready');
  return { caller, id: one.assetId };
}

it('deletes old blobs that no asset has, and nothing else', async () => {
  const { id } = await readyAsset();
  const [orphan, fresh, foreign, stray, kept] = [uuidv7(), uuidv7(), 'audio/jobs/1', uuidv7(), toBlobKey(id, 1)] as const;
  await blob(toBlobKey(orphan, 0), LONG_AGO);
  await blob(toBlobKey(id, 7), LONG_AGO);
  await blob(toBlobKey(fresh, 0));
  await blob(foreign, LONG_AGO);
  await blob(`assets/${stray}`, LONG_AGO);
  await utimes(join(fixture.folder, kept), LONG_AGO, LONG_AGO);
  await expect(sweepOrphanedBlobs(deps)).resolves.toBe(2);
  await expect(sweepOrphanedBlobs(deps)).resolves.toBe(0);
  const left = [`${id}-1`, `${fresh}-0`, '1', stray];
  expect((await fixture.files()).sort()).toEqual(left.sort());
});

it('deletes what a crash left half written a day ago', async () => {
  const path = `.incoming/parley-upload-${uuidv7()}.part`;
  await blob(path, new Date(0));
  await sweepOrphanedBlobs(deps);
  expect(await fixture.files()).not.toContain(basename(path));
});

it('leaves what a worker is writing', async () => {
  const { id } = await readyAsset();
  await fixture.sql.query(
    `UPDATE assets SET status = 'downloading', blob_key = NULL, generation = 4, next_attempt_at = 'infinity' WHERE id = $1`,
    [id],
  );
  await blob(toBlobKey(id, 4), LONG_AGO);
  await blob(toBlobKey(id, 3), LONG_AGO);
  await sweepOrphanedBlobs(deps);
  const left = (await fixture.files()).filter((name) => name.startsWith(id));
  expect(left.sort()).toEqual([`${id}-1`, `${id}-4`]);
});

it('removes assets whose time is over, with their bytes', async () => {
  const [over, stays] = [await readyAsset(), await readyAsset()];
  await fixture.sql.query(`UPDATE assets SET expires_at = expires_at - interval '1 hour' WHERE id = $1`, [over.id]);
  await expect(sweepExpiredAssets(deps)).resolves.toBe(1);
  await expect(service.stub.getAsset({ id: over.id }, { caller: over.caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
  await expect(service.stub.getAsset({ id: stays.id }, { caller: stays.caller })).resolves.toMatchObject({ status: 'ready' });
  expect((await fixture.files()).some((name) => name.startsWith(over.id))).toBe(false);
});
