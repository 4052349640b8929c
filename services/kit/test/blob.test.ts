import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BlobStore, BlobNotFoundError, BlobTooLargeError } from '@parley/kit/blob/blob-store';
import { blobLocationField, openBlobStore } from '@parley/kit/blob/open-blob-store';
import { waitFor } from '@parley/kit/testing/wait-for';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { s3Server } from './fixtures/s3-server.ts';

const from = (content: string | Buffer) => Readable.from([Buffer.from(content)]);

let root: string;
let server: Server;
let objects: Map<string, Buffer>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'blobs-'));
  objects = new Map();
  server = s3Server(objects).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.AWS_ACCESS_KEY_ID = process.env.AWS_SECRET_ACCESS_KEY = 'test';
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true });
});

function open(kind: string): Promise<BlobStore> {
  const { port } = server.address() as { port: number };
  const location = kind === 's3' ? `s3://bucket?endpoint=http://127.0.0.1:${port}` : root;
  return openBlobStore(blobLocationField.parse(location));
}

/** Every file below the folder, read from the file system. */
async function files(): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe.each(['folder', 's3'])('blob store: %s', (kind) => {
  it('stores bytes and returns their size and hash', async () => {
    const store = await open(kind);
    const bytes = randomBytes(200_000);
    const receipt = await store.put('a/b/c.bin', from(bytes), { maxBytes: 200_000, contentType: 'image/png' });
    expect(receipt).toEqual({ size: 200_000, sha256: createHash('sha256').update(bytes).digest('hex') });
    await expect(store.head('a/b/c.bin')).resolves.toMatchObject({ size: 200_000 });
    await expect((await store.getRange('a/b/c.bin')).toArray().then((chunks) => Buffer.concat(chunks as Buffer[]))).resolves.toEqual(bytes);
  });

  it.each([
    [{ start: 0, end: 3 }, '0123'],
    [{ start: 8 }, '89'],
    [{ start: 5, end: 5 }, '5'],
    [undefined, '0123456789'],
  ])('reads the range %j', async (range, expected) => {
    const store = await open(kind);
    await store.put('digits', from('0123456789'), { maxBytes: 10 });
    await expect(text(await store.getRange('digits', range))).resolves.toBe(expected);
  });

  it('replaces a blob, also by an empty one', async () => {
    const store = await open(kind);
    await store.put('a', from('old'), { maxBytes: 10 });
    await expect(store.put('a', Readable.from([]), { maxBytes: 10 })).resolves.toMatchObject({ size: 0 });
    await expect(text(await store.getRange('a'))).resolves.toBe('');
  });

  it('reports a missing blob', async () => {
    const store = await open(kind);
    await expect(store.head('nothing')).resolves.toBeUndefined();
    await expect(store.getRange('nothing')).rejects.toBeInstanceOf(BlobNotFoundError);
    await store.delete('nothing');
  });

  it('lists a folder with those below it, and all', async () => {
    const store = await open(kind);
    const keys = ['a/1', 'a/b/2', 'a/b/3', 'ab/4', '5'];
    for (const key of keys) await store.put(key, from('x'), { maxBytes: 1 });
    await store.delete('a/b/3');
    const list = async (folder: string) => {
      const keys: string[] = [];
      for await (const key of store.list(folder)) keys.push(key);
      return keys.sort();
    };
    await expect(list('a')).resolves.toEqual(['a/1', 'a/b/2']);
    await expect(list('')).resolves.toEqual(['5', 'a/1', 'a/b/2', 'ab/4']);
    await expect(list('none')).resolves.toEqual([]);
  });

  it('refuses what is too large and keeps what was there before', async () => {
    const store = await open(kind);
    await store.put('a', from('old'), { maxBytes: 10 });
    await expect(store.put('a', from('12345678901'), { maxBytes: 10 })).rejects.toBeInstanceOf(BlobTooLargeError);
    await expect(text(await store.getRange('a'))).resolves.toBe('old');
  });

  it.each(['', '/etc/passwd', '../x', 'a/../b', 'a//b', './a', '.incoming/x', 'a/.hidden', 'a\\b', 'a\0b', 'a/', 'x'.repeat(513)])(
    'refuses the key %j',
    async (key) => {
      const store = await open(kind);
      const body = from('x');
      await expect(store.put(key, body, { maxBytes: 1 })).rejects.toBeInstanceOf(TypeError);
      await expect(store.getRange(key)).rejects.toBeInstanceOf(TypeError);
      await expect(store.head(key)).rejects.toBeInstanceOf(TypeError);
      await expect(store.delete(key)).rejects.toBeInstanceOf(TypeError);
      expect(objects.size).toBe(0);
    },
  );
});

describe('local folder', () => {
  it('leaves nothing of an upload that is aborted', async () => {
    const store = await open('folder');
    const abort = new AbortController();
    const body = new Readable({ read: () => undefined });
    const putting = store.put('a', body, { maxBytes: 1_000_000, signal: abort.signal });
    body.push(Buffer.alloc(100_000));
    await waitFor(async () => (await files()).length === 1);
    abort.abort();
    await expect(putting).rejects.toMatchObject({ name: 'AbortError' });
    expect(body.destroyed).toBe(true);
    await expect(files()).resolves.toEqual([]);
  });

  it('leaves nothing of an upload whose source breaks', async () => {
    const store = await open('folder');
    const body = new Readable({ read: () => undefined });
    const putting = store.put('a', body, { maxBytes: 1_000_000 });
    body.push('half');
    body.destroy(new Error('connection lost'));
    await expect(putting).rejects.toThrow('connection lost');
    await expect(files()).resolves.toEqual([]);
  });

  it('leaves nothing when the file cannot be moved into place', async () => {
    const store = await open('folder');
    await store.put('a', from('x'), { maxBytes: 1 });
    await expect(store.put('a/b', from('x'), { maxBytes: 1 })).rejects.toThrow();
    await expect(files()).resolves.toEqual(['a']);
  });
});

describe.each(['folder', 's3'])('an unfinished upload: %s', (kind) => {
  it('is deleted after a day; younger files and foreign files stay', async () => {
    const store = await open(kind);
    const folder = kind === 's3' ? tmpdir() : join(root, '.incoming');
    const part = () => join(folder, `parley-upload-${randomUUID()}.part`);
    const [old, fresh, foreign] = [part(), part(), join(folder, `${randomUUID()}.part`)];
    for (const path of [old, fresh, foreign]) await writeFile(path, 'x');
    for (const path of [old, foreign]) await utimes(path, 0, 0);
    await store.deletePartialUploads();
    const isThere = (path: string) =>
      stat(path).then(
        () => true,
        () => false,
      );
    expect(await Promise.all([old, fresh, foreign].map(isThere))).toEqual([false, true, true]);
    for (const path of [fresh, foreign]) await rm(path);
  });
});

describe('blobLocationField', () => {
  it('reads paths and URLs', () => {
    expect(blobLocationField.parse('/var/blobs')).toEqual({ kind: 'folder', path: '/var/blobs' });
    expect(blobLocationField.parse('file:///var/blobs')).toEqual({ kind: 'folder', path: '/var/blobs' });
    expect(blobLocationField.parse('s3://b?region=eu-central-1&endpoint=https://minio:9000&path_style=false')).toEqual({
      kind: 's3',
      bucket: 'b',
      region: 'eu-central-1',
      endpoint: 'https://minio:9000',
      pathStyle: false,
    });
  });

  it.each(['blobs', 'http://x/y', 's3://', 's3://b?endpoint=minio'])('refuses %j', (value) => {
    expect(blobLocationField.safeParse(value).success).toBe(false);
  });
});
