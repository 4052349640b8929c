import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { connect } from '@parley/kit/rpc/client';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { readMetric } from '@parley/kit/testing/telemetry';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import type pg from 'pg';
import { ContentChecker } from '../src/bytes/content-checker.ts';
import { ingestAsset } from '../src/ingest/ingest-asset.ts';
import { openDatabase } from '../src/store/database.ts';
import { claimAssets } from '../src/store/leases.ts';
import { registerArtifacts } from '../src/store/register-artifacts.ts';
import { type Store } from '../src/store/store.ts';
import { CSV, PNG } from './files.ts';
import { type TestFixture, SILENT, artifact, newCaller, openFixture, reaches, register } from './fixture.ts';
import { type Script, consistsOf, gate } from './upstream.ts';

let fixture: TestFixture;
beforeAll(async () => {
  enableMetrics('test');
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const blobsOf = async (id: string) => (await fixture.files()).filter((name) => name.startsWith(id));

/** A worker whose heart never beats: as if it had been killed right after it had begun. */
const SILENT_WORKER = { leaseMs: 3_600_000, renewMs: 3_600_000 };

/** An artifact whose first fetch hangs in the middle, whatever its signal says, until it is let go; later ones come at once. */
function hangsOnce(first: Buffer, later: Buffer, until: Promise<void>): Script {
  return async function* (attempt, signal) {
    if (attempt > 1) return void (yield* consistsOf(later)(attempt, signal));
    yield { frame: { $case: 'head', value: { mimeType: '', fileName: '', sizeBytes: undefined } } };
    yield { frame: { $case: 'chunk', value: first } };
    await until;
  };
}

describe('a worker that dies', () => {
  it('leaves its asset to another once its lease is over, which keeps it once', async () => {
    const caller = newCaller();
    const held = gate();
    const [one, ...rest] = Array.from({ length: 20 }, () => artifact(fixture.upstream, hangsOnce(PNG, PNG, held.opened)));
    const artifacts = one ? [one, ...rest] : [];
    const dead = await fixture.start({ workers: 20 }, SILENT_WORKER);
    await register(dead, caller, artifacts);
    await waitFor(() => artifacts.every(({ reference }) => fixture.upstream.fetches.get(reference) === 1));
    await fixture.sql.query(`UPDATE assets SET lease_until = now() - interval '1 second'`);
    const of = async (name: string) => (await readMetric(`parley_lease${name}`))['kind="assets"'];
    expect([await of('s_held'), await of('_backlog')]).toEqual([20, 20]);
    expect(await of('_oldest_seconds')).toBeGreaterThan(0);
    const alive = await fixture.start({}, { leaseMs: 500 });
    for (const { assetId } of artifacts) await reaches(alive, caller, assetId, 'ready');
    expect(await of('s_taken_over_total')).toBe(20);
    held.open();
    await dead.stop();
    for (const { assetId, reference } of artifacts) {
      expect(fixture.upstream.fetches.get(reference)).toBe(2);
      await expect(blobsOf(assetId)).resolves.toEqual([`${assetId}-2`]);
      await expect(alive.stub.getAsset({ id: assetId }, { caller })).resolves.toMatchObject({ status: 'ready', retryCount: 0 });
    }
    await alive.stop();
  });

  it('fails an asset that repeatedly crashes its worker, which can be retried', async () => {
    const caller = newCaller();
    const held = gate();
    const one = artifact(fixture.upstream, async function* (attempt, signal) {
      if (attempt <= 6) await held.opened;
      yield* consistsOf(PNG)(attempt, signal);
    });
    const service = await fixture.start({ workers: 20 }, { ...SILENT_WORKER, idleMs: 100 });
    await register(service, caller, [one]);
    for (let deaths = 1; deaths <= 6; deaths++) {
      await waitFor(() => fixture.upstream.fetches.get(one.reference) === deaths);
      await fixture.sql.query(`UPDATE assets SET lease_until = now() - interval '1 second' WHERE id = $1`, [one.assetId]);
    }
    await expect(reaches(service, caller, one.assetId, 'failed')).resolves.toMatchObject({ errorCondition: 'INTERNAL_ERROR' });
    expect(fixture.upstream.fetches.get(one.reference)).toBe(6);
    await service.stub.retryAsset({ id: one.assetId }, { caller });
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ retryCount: 1 });
    held.open();
    await service.stop();
  });

  it('cannot write over what its successor has kept when it comes back late', async () => {
    const caller = newCaller();
    const held = gate();
    const one = artifact(fixture.upstream, hangsOnce(Buffer.from('a,b\n'), CSV, held.opened), { assetType: 'file', fileName: 'a.csv' });
    const late = await fixture.start({}, SILENT_WORKER);
    await register(late, caller, [one]);
    await waitFor(() => fixture.upstream.fetches.get(one.reference) === 1);
    await fixture.sql.query(`UPDATE assets SET lease_until = now() - interval '1 second' WHERE id = $1`, [one.assetId]);
    const successor = await fixture.start();
    const ready = await reaches(successor, caller, one.assetId, 'ready');
    expect(ready.sizeBytes).toBe(CSV.length);
    held.open();
    await waitFor(async () => (await blobsOf(one.assetId)).length === 1);
    await late.stop();
    await expect(successor.stub.getAsset({ id: one.assetId }, { caller })).resolves.toEqual(ready);
    const { baseUrl, path } = await successor.stub.openDownload({ id: one.assetId }, { caller });
    await expect(fetch(`${baseUrl}${path}`).then((response) => response.text())).resolves.toBe(CSV.toString());
    await successor.stop();
  });

  it('moves nothing any more when it comes back while its successor is at work', async () => {
    const caller = newCaller();
    const [first, second] = [gate(), gate()];
    const one = artifact(
      fixture.upstream,
      async function* (attempt, signal) {
        await (attempt === 1 ? first : second).opened;
        yield* consistsOf(attempt === 1 ? Buffer.from('a,b\n') : CSV)(attempt, signal);
      },
      { assetType: 'file', fileName: 'a.csv' },
    );
    const late = await fixture.start({}, SILENT_WORKER);
    await register(late, caller, [one]);
    await waitFor(() => fixture.upstream.fetches.get(one.reference) === 1);
    await fixture.sql.query(`UPDATE assets SET lease_until = now() - interval '1 second' WHERE id = $1`, [one.assetId]);
    const successor = await fixture.start();
    await waitFor(() => fixture.upstream.fetches.get(one.reference) === 2);
    first.open();
    await late.stop();
    await expect(successor.stub.getAsset({ id: one.assetId }, { caller })).resolves.toMatchObject({ status: 'downloading', sha256: '' });
    second.open();
    await expect(reaches(successor, caller, one.assetId, 'ready')).resolves.toMatchObject({ sizeBytes: CSV.length });
    // A machine that stands still may make it a later generation than the second.
    const { rows } = await fixture.sql.query<{ generation: number }>('SELECT generation FROM assets WHERE id = $1', [one.assetId]);
    expect(rows[0]?.generation).toBeGreaterThanOrEqual(2);
    await expect(blobsOf(one.assetId)).resolves.toEqual([`${one.assetId}-${rows[0]?.generation}`]);
    await successor.stop();
  });

  it('stops when it has lost its lease', async () => {
    const caller = newCaller();
    let stopped = false;
    const one = artifact(fixture.upstream, async function* (_attempt, signal) {
      yield { frame: { $case: 'head', value: { mimeType: '', fileName: '', sizeBytes: undefined } } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      stopped = true;
    });
    const service = await fixture.start({}, { leaseMs: 400 });
    await register(service, caller, [one]);
    await waitFor(() => fixture.upstream.fetches.get(one.reference) === 1);
    await fixture.sql.query('DELETE FROM assets WHERE id = $1', [one.assetId]);
    await waitFor(() => stopped);
    await waitFor(async () => (await fixture.files()).every((name) => !name.startsWith(one.assetId)));
    await service.stop();
  });
});

describe('a service that drains', () => {
  it('gives back what takes too long, for another to take at once', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, async function* (attempt, signal) {
      if (attempt > 1) return void (yield* consistsOf(PNG)(attempt, signal));
      yield { frame: { $case: 'head', value: { mimeType: '', fileName: '', sizeBytes: undefined } } };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const service = await fixture.start({}, { graceMs: 100 });
    await register(service, caller, [one]);
    await waitFor(() => fixture.upstream.fetches.get(one.reference) === 1);
    await service.server.drain();
    await expect(service.server.ready()).resolves.toMatchObject({ ready: false });
    await expect(service.stub.getAsset({ id: one.assetId }, { caller })).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
    const other = await fixture.start();
    await expect(reaches(other, caller, one.assetId, 'ready')).resolves.toMatchObject({ retryCount: 0 });
    await other.stop();
  });
});

describe('a move whose commit was cut off', () => {
  it('leaves the bytes, which the record may have by then', async () => {
    const service = await fixture.start();
    await service.stop();
    const database = openDatabase(fixture.databaseUrl, SILENT);
    const store: Store = { database, notifyChanged: () => undefined };
    const [id, blobs] = [uuidv7(), await openBlobStore({ kind: 'folder', path: fixture.folder })];
    fixture.upstream.artifacts.set('cut', consistsOf(PNG));
    const artifacts = [{ id, assetType: 'image' as const, fileName: 'a.png', mimeType: '', connectionId: 'c', reference: 'cut' }];
    const ids = { workspaceId: uuidv7(), conversationId: uuidv7(), messageId: uuidv7() };
    await registerArtifacts(
      store,
      { ...ids, artifacts, origin: { requestId: 'r', traceparent: '' } },
      { ingestTimeoutMs: 60_000, retentionMs: undefined },
    );
    const [leased] = await claimAssets(store, 1, 'test', 60_000);
    if (!leased) throw new Error('nothing to claim');
    const routing = connect(ChatRoutingServiceService, (await fixture.upstream.serve(SILENT)).routing.address);
    // The first commit says that the bytes have come, the second that they are ready.
    const cut: Store = { ...store, database: { ...database, pool: cutting(database.pool, 2) } };
    const deps = { blobs, contentChecker: new ContentChecker(blobs), routing, log: SILENT, maxBytes: 1_000_000 };
    await ingestAsset({ ...deps, store: cut }, leased, new AbortController().signal);
    const { rows } = await fixture.sql.query<{ status: string; blob_key: string }>('SELECT status, blob_key FROM assets WHERE id = $1', [
      id,
    ]);
    expect(rows).toMatchObject([{ status: 'ready' }]);
    await expect(blobs.head(rows[0]?.blob_key ?? '')).resolves.toMatchObject({ size: PNG.length });
    await database.close();
  });
});

/** A pool whose connection breaks right after a commit that took effect, the `nth` one. */
function cutting(pool: pg.Pool, nth: number): pg.Pool {
  let commits = 0;
  const connectAndCut = async () => {
    const client = await pool.connect();
    const query = async (sql: string, values?: unknown[]) => {
      const result = await client.query(sql, values);
      if (sql === 'COMMIT' && ++commits === nth) throw new Error('Connection terminated unexpectedly');
      return result;
    };
    return { query, release: (broken: boolean) => client.release(broken) };
  };
  return { connect: connectAndCut } as unknown as pg.Pool;
}
