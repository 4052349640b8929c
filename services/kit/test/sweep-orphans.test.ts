import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBlobKeyScheme } from '@parley/kit/blob/blob-key-scheme';
import { type BlobStore } from '@parley/kit/blob/blob-store';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { sweepOrphans } from '@parley/kit/blob/sweep-orphans';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const keyScheme = createBlobKeyScheme('things');
const NOW = new Date('2026-03-10T12:00:00.000Z');
const [FRESH, OLD] = [new Date(NOW.getTime() - 3_500_000), new Date(NOW.getTime() - 3_700_000)];

describe('sweepOrphans', () => {
  let root: string;
  let blobs: BlobStore;
  let lines: string[];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'orphans-'));
    blobs = await openBlobStore({ kind: 'folder', path: root });
    lines = [];
  });
  afterEach(() => rm(root, { recursive: true }));

  async function put(key: string, modifiedAt: Date): Promise<string> {
    const path = join(root, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x');
    await utimes(path, modifiedAt, modifiedAt);
    return key;
  }

  /** Sweeps a store in which records refer to the given keys; `batches` gets the size of every batch. */
  const sweep = (had: readonly string[], { store = blobs, batches = [] as number[], signal = new AbortController().signal } = {}) => {
    const log = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const known = async (batch: readonly unknown[]) => {
      batches.push(batch.length);
      return { known: new Set(had), now: NOW };
    };
    return sweepOrphans({ blobs: store, keyScheme, known, log }, signal);
  };
  const left = async () => {
    const keys: string[] = [];
    for await (const key of blobs.list('')) keys.push(key);
    return keys.sort();
  };

  it('deletes only blobs without a record that are an hour old by the database’s clock', async () => {
    const orphan = await put(keyScheme.toKey(uuidv7(), 1), OLD);
    const had = await put(keyScheme.toKey(uuidv7(), 1), OLD);
    const kept = [had, await put(keyScheme.toKey(uuidv7(), 1), FRESH), await put('things/stray', OLD), await put('others/1', OLD)];
    await expect(sweep([had])).resolves.toBe(1);
    await expect(blobs.head(orphan)).resolves.toBeUndefined();
    await expect(left()).resolves.toEqual(kept.sort());
  });

  it('deletes unfinished uploads of a day ago', async () => {
    const part = () => put(`.incoming/parley-upload-${randomUUID()}.part`, new Date(0));
    const parts = [await part(), await part()].map((path) => join(root, path));
    await expect(sweep([])).resolves.toBe(0);
    await expect(Promise.all(parts.map((path) => access(path).catch(() => 'gone')))).resolves.toEqual(['gone', 'gone']);
  });

  it('looks up five hundred blobs at a time, and none when there are none', async () => {
    const batches: number[] = [];
    await expect(sweep([], { batches })).resolves.toBe(0);
    await Promise.all(Array.from({ length: 501 }, () => put(keyScheme.toKey(uuidv7(), 1), OLD)));
    await expect(sweep([], { batches })).resolves.toBe(501);
    expect(batches).toEqual([500, 1]);
  });

  it('ends when its signal aborts', async () => {
    const key = await put(keyScheme.toKey(uuidv7(), 1), OLD);
    await expect(sweep([], { signal: AbortSignal.abort() })).resolves.toBe(0);
    await expect(left()).resolves.toEqual([key]);
  });

  it('logs a blob that cannot be deleted and continues with the next', async () => {
    const keys = [await put(keyScheme.toKey(uuidv7(), 1), OLD), await put(keyScheme.toKey(uuidv7(), 1), OLD)];
    let refused: string | undefined;
    const store: BlobStore = {
      put: (...args) => blobs.put(...args),
      getRange: (...args) => blobs.getRange(...args),
      head: (key) => blobs.head(key),
      list: (folder) => blobs.list(folder),
      deletePartialUploads: () => blobs.deletePartialUploads(),
      delete: async (key) => {
        refused ??= key;
        if (key === refused) throw new Error('read-only');
        await blobs.delete(key);
      },
    };
    await sweep([], { store });
    await expect(left()).resolves.toEqual([refused]);
    expect(keys).toContain(refused);
    expect(lines.join('')).toContain('blob not deleted; the sweeper will retry');
  });
});
