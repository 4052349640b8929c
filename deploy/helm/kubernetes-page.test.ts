import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readEdgeConfig } from '@parley/edge/config';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { type Manifest } from './chart.ts';
import { checkManifests } from './check-chart.ts';
import { openChart } from './testing/the-chart.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FENCED = /^```sh(.*)\n([\s\S]*?)^```$/gm;

let page: string;
let folder: string;
beforeAll(async () => {
  page = await readFile(`${ROOT}docs/kubernetes.md`, 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'kubernetes-page-'));
  await mkdir(join(folder, 'bin'));
  await symlink((await openChart()).helm, join(folder, 'bin/helm'));
  await symlink(`${ROOT}deploy`, join(folder, 'deploy'));
});
afterAll(() => rm(folder, { recursive: true }));

const blocks = () => Array.from(page.matchAll(FENCED), ([, mark = '', code = '']) => ({ mark, code }));
const shell = (code: string) =>
  run('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
  });

describe('docs/kubernetes.md', () => {
  it('does what it says where no cluster is needed', async () => {
    const here = blocks().filter(({ mark }) => mark === '');
    expect(here).not.toEqual([]);
    for (const { code } of here) await shell(code);
    const rendered = parseAllDocuments(await readFile(join(folder, 'rendered.yaml'), 'utf8')).map(
      (document) => document.toJS() as Manifest,
    );
    expect(rendered.length).toBeGreaterThan(50);
    expect(checkManifests(rendered)).toEqual([]);
  });

  it('says why it does not run the others', () => {
    for (const { mark } of blocks().filter((block) => block.mark !== '')) expect(mark).toMatch(/^ not-run: \w/);
  });

  it('installs and upgrades with options and values that Helm takes', async () => {
    const commands = blocks().flatMap(({ code }) =>
      code.split('\n').filter((line) => line.startsWith('helm upgrade ') && line.includes('deploy/helm/parley --')),
    );
    expect(commands.length).toBeGreaterThan(1);
    await shell('cp deploy/helm/parley/examples/values.yaml my-values.yaml');
    for (const command of commands) await shell(`${command.replace(/^helm upgrade( --install)?/, 'helm template')} > /dev/null`);
  });

  it('names files, services and values that are there', async () => {
    for (const [path] of page.matchAll(/deploy\/helm\/parley\/examples\/[a-z]+\.(yaml|sh)/g))
      await expect(readFile(ROOT + path)).resolves.toBeDefined();
    const values = await readFile(`${ROOT}deploy/helm/parley/values.yaml`, 'utf8');
    const named = Array.from(
      page.matchAll(
        /`((?:drain|networkPolicy|autoscaling|ingress|monitoring|migrations|nats|database|blobs|secrets|throttle)\.[A-Za-z.0-9]+)/g,
      ),
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect({ name, leaf: values.includes(`${name.split('.').at(-1)}:`) }).toEqual({ name, leaf: true });
  });
});

describe('examples/secrets.sh', () => {
  it('makes keys that the gateway accepts, others each time', async () => {
    const kubectl = join(folder, 'bin/kubectl');
    await writeFile(kubectl, '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    await chmod(kubectl, 0o755);
    const make = async () => (await shell('sh deploy/helm/parley/examples/secrets.sh parley')).stdout;
    const [made, again] = [await make(), await make()];
    expect(made).toMatch(/^--namespace\nparley\ncreate\nsecret\ngeneric\nparley\n/);
    const literals: Record<string, string> = Object.fromEntries(
      Array.from(made.matchAll(/^--from-literal=([A-Z_]+)=(.+)$/gm), ([, name = '', value = '']) => [name, value]),
    );
    expect(Object.values(literals).filter((value) => again.includes(value))).toEqual([]);
    const services = ['CHAT_ROUTING', 'CONVERSATION', 'USAGE', 'ASSET', 'AUDIO', 'ACTIONS'].map(
      (name) => [`PARLEY_${name}_ADDRESS`, 'a:1'] as const,
    );
    const env: Record<string, string> = {
      DATABASE_URL: 'postgres://a/b',
      NATS_URL: 'nats://a',
      ...Object.fromEntries(services),
      ...literals,
    };
    expect(readEdgeConfig(env)).toMatchObject({
      secretKeys: [{ id: 'k1' }],
      operatorKey: literals['PARLEY_OPERATOR_KEY'],
      apiKey: literals['PARLEY_API_KEY'],
    });
  });
});
