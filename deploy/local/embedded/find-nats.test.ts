import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { findNats } from './find-nats.ts';

const log = pino({ level: 'silent' });
const NATS = 'echo "nats-server: v2.9.10"';

let base = '';
const at = (name: string): string => join(base, name);

async function program(path: string, script: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const find = (): Promise<string> => findNats({ cacheDir: at('cache'), env: { PATH: at('bin') }, log });

/** A Debian in miniature: apt-get "downloads" once the lists are there, dpkg "unpacks". */
async function debian(listsPresent: boolean): Promise<void> {
  if (listsPresent) await writeFile(at('lists'), '');
  await program(
    at('bin/apt-get'),
    `echo "$*" >> '${at('calls')}'
case "$*" in
  *update) : > '${at('lists')}' ;;
  *download*) [ -e '${at('lists')}' ] || { echo 'E: Unable to locate package nats-server' >&2; exit 100; }; : > nats-server_2.9.10_amd64.deb ;;
esac`,
  );
  await program(
    at('bin/dpkg'),
    `PATH=/usr/bin:/bin; mkdir -p "$3/usr/sbin"; printf '#!/bin/sh\\n%s\\n' '${NATS}' > "$3/usr/sbin/nats-server"`,
  );
}

const aptCalls = async (): Promise<string[]> => (await readFile(at('calls'), 'utf8')).trim().split('\n');

describe('findNats', () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'parley-nats-'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('prefers the one on PATH', async () => {
    await program(at('cache/nats-server'), NATS);
    const onPath = await program(at('bin/nats-server'), NATS);
    expect(await find()).toBe(onPath);
  });

  it('takes the cached one when PATH has none', async () => {
    const cached = await program(at('cache/nats-server'), NATS);
    await debian(true);
    expect(await find()).toBe(cached);
  });

  it('passes over one that does not run here', async () => {
    await program(at('bin/nats-server'), 'exit 126');
    const cached = await program(at('cache/nats-server'), NATS);
    expect(await find()).toBe(cached);
  });

  it('obtains one from Debian and keeps nothing but the program', async () => {
    await debian(true);
    expect(await find()).toBe(at('cache/nats-server'));
    expect(await readdir(at('cache'))).toEqual(['nats-server']);
    expect(await aptCalls()).toHaveLength(1);
  });

  it('fetches package lists of its own when there are none', async () => {
    await debian(false);
    expect(await find()).toBe(at('cache/nats-server'));
    const calls = await aptCalls();
    expect(calls).toHaveLength(3);
    expect(calls[1]).toMatch(/Dir::State::Lists=.* update$/);
    expect(calls[2]).toMatch(/Dir::State::Lists=.* download nats-server$/);
  });

  it('names the other ways in one line where there is no apt-get', async () => {
    await expect(find()).rejects.toThrow(
      /^no nats-server on PATH .*this system has no apt-get.*brew install nats-server.*NATS_URL.*docker compose up$/,
    );
  });

  it('says why apt-get failed, and leaves no rubbish', async () => {
    await program(at('bin/apt-get'), `echo 'E: Could not resolve the archive' >&2; exit 100`);
    await program(at('bin/dpkg'), 'exit 1');
    await expect(find()).rejects.toThrow(/could be obtained \(E: Could not resolve the archive\)/);
    expect(await readdir(at('cache'))).toEqual([]);
  });
});
