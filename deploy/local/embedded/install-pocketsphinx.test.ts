import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { installPocketsphinx, getPocketsphinxFolder } from './install-pocketsphinx.ts';

const { signal } = new AbortController();
const log = pino({ level: 'silent' });
const USAGE = 'echo "-infile	Audio file to transcribe." >&2; exit 1';

let base = '';
const at = (name: string): string => join(base, name);

async function program(path: string, script: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const find = () => installPocketsphinx({ cacheDir: at('cache'), env: { PATH: at('bin') }, log, signal });
const aptCalls = async (): Promise<string[]> => (await readFile(at('calls'), 'utf8')).trim().split('\n');

/** A Debian in miniature: apt-get plans and "downloads", dpkg "unpacks" a program with a given output. */
async function debian(script: string): Promise<void> {
  await program(
    at('bin/apt-get'),
    `echo "$*" >> '${at('calls')}'
case "$*" in
  *-s*install*) printf 'Reading lists...\\nInst libsphinxbase3t64 (1 Debian)\\nInst pocketsphinx (1 Debian)\\nConf pocketsphinx\\n' ;;
  *download*) : > pocketsphinx_1.deb ;;
esac`,
  );
  await writeFile(at('unpacked-program'), `#!/bin/sh\n${script}\n`);
  await program(
    at('bin/dpkg'),
    `PATH=/usr/bin:/bin; mkdir -p "$3/usr/bin"; cp '${at('unpacked-program')}' "$3/usr/bin/pocketsphinx_continuous"; chmod 755 "$3/usr/bin/pocketsphinx_continuous"`,
  );
}

describe('installPocketsphinx', () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'parley-find-'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('is content with one on PATH', async () => {
    await program(at('bin/pocketsphinx_continuous'), USAGE);
    await expect(find()).resolves.toBeUndefined();
  });

  it('is content with one that was obtained before', async () => {
    await program(join(getPocketsphinxFolder(at('cache')), 'usr/bin/pocketsphinx_continuous'), USAGE);
    await debian(USAGE);
    await expect(find()).resolves.toBeUndefined();
    await expect(readFile(at('calls'))).rejects.toThrow('ENOENT');
  });

  it('obtains what apt says is missing, and keeps nothing but that', async () => {
    await debian(USAGE);
    await expect(find()).resolves.toBeUndefined();
    expect(await readdir(at('cache'))).toEqual(['pocketsphinx']);
    expect((await aptCalls()).at(-1)).toMatch(/download libsphinxbase3t64 pocketsphinx$/);
  });

  it('replaces one that no longer runs', async () => {
    await program(join(getPocketsphinxFolder(at('cache')), 'usr/bin/pocketsphinx_continuous'), 'exit 127');
    await debian(USAGE);
    await expect(find()).resolves.toBeUndefined();
    await expect(readFile(join(getPocketsphinxFolder(at('cache')), 'usr/bin/pocketsphinx_continuous'), 'utf8')).resolves.toContain(
      '-infile',
    );
  });

  it.each([
    ['there is no apt-get', async () => undefined, 'this system has no apt-get'],
    ['what was obtained does not run', () => debian('exit 127'), 'the one obtained does not run here'],
    [
      'the archive cannot be reached',
      async () => {
        await program(at('bin/apt-get'), `echo 'E: Could not resolve the archive' >&2; exit 100`);
        await program(at('bin/dpkg'), 'exit 1');
      },
      'E: Could not resolve the archive',
    ],
  ])('says why, and leaves no rubbish, when %s', async (_name, prepare, reason) => {
    await prepare();
    await expect(find()).resolves.toBe(reason);
    expect(await readdir(at('cache'))).toEqual([]);
  });
});
