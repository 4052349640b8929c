import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrCreateSecret } from './secret-file.ts';

let folder = '';

describe('readOrCreateSecret', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes a random secret that only the owner can read, and reads it ever after', async () => {
    const file = join(folder, 'key');
    const secret = await readOrCreateSecret(file);
    expect(secret).toHaveLength(43);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readOrCreateSecret(file)).toBe(secret);
  });

  it('gives all callers of one moment the same secret', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => readOrCreateSecret(join(folder, 'key'))));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('takes a secret that a person put there', async () => {
    await writeFile(join(folder, 'key'), 'mine\n');
    expect(await readOrCreateSecret(join(folder, 'key'))).toBe('mine');
  });
});
