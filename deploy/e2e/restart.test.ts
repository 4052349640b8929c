import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, said, stream } from './harness/chat.ts';
import { makeDataDir, removeDataDir } from './harness/data-dir.ts';
import { readStream } from './harness/event-stream.ts';
import { call } from './harness/http.ts';
import { type Parley, START_MS, startParley, STOP_MS } from './harness/parley.ts';
import { expectRefusal } from './harness/expectations.ts';
import { leftovers, nothingLeft } from './harness/processes.ts';
import { Sandbox } from './harness/sandbox.ts';
import { curl, curlArguments } from './harness/shell.ts';
import { runStart } from './harness/start-process.ts';

const RECALL = 'what did I ask you to remember?';
const REMEMBERED = 'You asked me to remember: the blue door.';
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const LIFE_MS = START_MS + STOP_MS;

describe.each(['single', 'separate'] as const)('a Parley that is stopped and started (%s)', (topology) => {
  let house: Parley;
  let first: Parley;
  let conversation: string;
  beforeAll(async () => {
    house = first = await startParley({ topology, presetKey: false });
    conversation = said(await ask(house, { say: 'remember the blue door' })).conversation;
  }, LIFE_MS);
  afterAll(() => first.dispose(), STOP_MS);

  const recalls = async () => said(await ask(house, { conversation, say: RECALL })).text;

  it('shows its key and a line to paste on the first run', async () => {
    const output = house.output();
    expect(output).toContain(`${house.url}/v1`);
    expect(output.match(/API key +gmk_live_[0-9A-Za-z]{43} /g)).toHaveLength(1);
    const line = output.split('\n').find((text) => text.trimStart().startsWith('curl ')) ?? '';
    expect(await curl(await curlArguments(line))).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] });
  });

  it('is refused a second time in the same data folder', async () => {
    await expectOneLine({ PARLEY_DATA_DIR: house.dataDir }, new RegExp(`${house.dataDir} is in use by another Parley \\(pid ${house.pid}\\)`));
    expect(await recalls()).toBe(REMEMBERED);
  });

  it('finishes what is under way on SIGTERM, refuses what is new, and ends with 0', async () => {
    await new Sandbox(() => house).setPace(20);
    const streams = await Promise.all(Array.from({ length: 5 }, () => stream(house, { say: 'count to 60' })));
    const family = await house.family();
    house.signal('SIGTERM');
    const probe = await waitFor(async () => [await call(house, 'GET', '/readyz')].find(({ status }) => status === 503));
    expect(probe.json).toMatchObject({ status: 'draining' });
    const refused = await ask(house);
    expectRefusal(refused, { status: 503, code: 'shutting_down' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const answer of await Promise.all(streams.map(readStream))) {
      expect(answer.text).toMatch(/^1 2 3 .* 60$/);
      expect(answer.data.at(-1)).toBe('[DONE]');
    }
    expect(await house.exited).toEqual({ code: 0, signal: null });
    await nothingLeft(family, house.dataDir, 2_000);
  }, STOP_MS);

  it('keeps its conversations and its key, and shows the key no more', async () => {
    house = await house.restart();
    expect(await recalls()).toBe(REMEMBERED);
    expect(house.apiKey).toBe(first.apiKey);
    expect(house.output()).not.toContain('gmk_live_');
    expect(await house.log()).not.toContain(house.apiKey);
    const line = house.output().split('\n').find((text) => text.trimStart().startsWith('curl ')) ?? '';
    expect(await curl(await curlArguments(line, { PARLEY_API_KEY: house.apiKey }))).toMatchObject({ object: 'chat.completion' });
  }, LIFE_MS);

  it('ends with 0 on SIGINT and leaves nothing running', async () => {
    expect(await house.stop('SIGINT')).toEqual({ code: 0, signal: null });
  }, STOP_MS);

  it('starts again after that', async () => {
    house = await house.restart();
    expect(await recalls()).toBe(REMEMBERED);
  }, LIFE_MS);

  const PARTS: Record<string, RegExp> = {
    postgres: /\/postgres -D /,
    nats: /\/nats-server -c /,
    sandbox: /\/sandbox\/main\.js/,
    ...(topology === 'single'
      ? { parley: /\/composition\/single\.js/ }
      : {
          edge: /\/edge\/dist\/main\.js/,
          'chat-routing': /\/chat-routing\/dist\/main\.js/,
          conversation: /\/conversation\/dist\/main\.js/,
          usage: /\/usage\/dist\/main\.js/,
        }),
  };

  it.each(Object.entries(PARTS))('starts %s again when it dies, says so, and goes on with its conversations', async (name, pattern) => {
    const part = (await house.family()).find(({ commandLine }) => pattern.test(commandLine));
    process.kill(part?.pid ?? Number.NaN, 'SIGKILL');
    await waitFor(async () => deaths(await house.log()).includes(name));
    await waitFor(async () => (await house.family()).some(({ pid, commandLine }) => pid !== part?.pid && pattern.test(commandLine)));
    const request = () => ask(house, { conversation, say: RECALL, signal: AbortSignal.timeout(5_000) });
    const answer = await waitFor(async () => [await request()].find(({ status }) => status === 200), { timeoutMs: 10_000, everyMs: 100 });
    expect(said(answer).text).toBe(REMEMBERED);
    await waitFor(async () => (await call(house, 'GET', '/readyz')).status === 200);
  });

  it('leaves nothing running when it is killed, and starts again', async () => {
    expect(await house.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    house = await house.restart();
    expect(await recalls()).toBe(REMEMBERED);
  }, 2 * LIFE_MS);
});

describe('two Parleys', () => {
  it('run side by side, each with its own keys', async () => {
    const [one, other] = await Promise.all([startParley(), startParley({ topology: 'separate' })]);
    try {
      expect(new Set([one.url, other.url, one.run.sandbox_url, other.run.sandbox_url]).size).toBe(4);
      for (const house of [one, other]) expect(said(await ask(house, { say: 'say here' })).text).toBe('here');
      expect((await ask(one, { key: other.apiKey })).status).toBe(401);
      expect((await call(one, 'GET', '/admin/v1/keys', { key: other.operatorKey })).status).toBe(401);
    } finally {
      await Promise.all([one.dispose(), other.dispose()]);
    }
  }, LIFE_MS);

  it('share a database and a broker that run already', async () => {
    const one = await startParley({ env: { PARLEY_SECRET_KEYS: SECRET_KEYS } });
    try {
      const env = { DATABASE_URL: one.run.database_url, NATS_URL: one.run.nats_url, PARLEY_SECRET_KEYS: SECRET_KEYS };
      const other = await startParley({ env });
      try {
        const programs = (await other.family()).map(({ commandLine }) => commandLine).join('\n');
        expect(programs).not.toMatch(/\/postgres |nats-server/);
        expect(other.run).toMatchObject({ database_url: one.run.database_url, nats_url: one.run.nats_url });
        expect((await call(other, 'GET', '/v1/models', { key: one.apiKey })).status).toBe(200);
      } finally {
        await other.dispose();
      }
    } finally {
      await one.dispose();
    }
  }, 2 * LIFE_MS);
});

describe('a start that cannot be', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['a port that is none', { PARLEY_PORT: 'abc' }, /PARLEY_PORT/],
    ['an unknown topology', { PARLEY_TOPOLOGY: 'triple' }, /PARLEY_TOPOLOGY/],
    ['a preset key that is none', { PARLEY_API_KEY: 'gmk_live_short' }, /PARLEY_API_KEY/],
    ['a database that is no PostgreSQL', { DATABASE_URL: 'mysql://127.0.0.1/parley' }, /DATABASE_URL/],
    ['a pace that is none', { PARLEY_SANDBOX_DELAY_MS: 'fast' }, /PARLEY_SANDBOX_DELAY_MS/],
    ['a variable of the edge', { PARLEY_PING_INTERVAL: 'soon' }, /PARLEY_PING_INTERVAL/],
    ['a variable of chat-routing', { PARLEY_BUSY_MS: 'long', PARLEY_TOPOLOGY: 'separate' }, /PARLEY_BUSY_MS/],
    ['a NATS server that cannot be had', { PATH: '/nowhere' }, /nats-server.*NATS_URL/],
    ['a data folder that cannot be', { PARLEY_DATA_DIR: '/dev/null/parley' }, /PARLEY_DATA_DIR/],
  ])('says in one line what is wrong and ends with 1: %s', async (_what, env, line) => {
    const dataDir = await makeDataDir({ cold: true });
    try {
      await expectOneLine({ PARLEY_DATA_DIR: dataDir, ...(env['PATH'] ? {} : { PATH: process.env['PATH'] ?? '' }), ...env }, line);
    } finally {
      await removeDataDir(dataDir);
    }
  }, LIFE_MS);

  it('says in one line that the port is taken', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const dataDir = await makeDataDir();
    try {
      await expectOneLine({ PARLEY_DATA_DIR: dataDir, PARLEY_PORT: String(port) }, new RegExp(`port ${port} is in use.*PARLEY_PORT`));
    } finally {
      server.close();
      await removeDataDir(dataDir);
    }
  });
});

/** Starts, and expects nothing but one line that says why not, exit code 1, and nothing left running. */
async function expectOneLine(env: Record<string, string>, line: RegExp): Promise<void> {
  const dataDir = env['PARLEY_DATA_DIR'] ?? '';
  const before = new Set((await leftovers([], dataDir)).map(({ pid }) => pid));
  const started = runStart({ PARLEY_PORT: '0', PARLEY_SANDBOX_DELAY_MS: '0', ...env });
  const exit = await started.exited;
  const lines = (started.stdout() + started.stderr()).split('\n').filter((text) => text !== '');
  expect({ exit, lines }).toEqual({ exit: { code: 1, signal: null }, lines: [expect.stringMatching(line)] });
  await waitFor(async () => (await leftovers([], dataDir)).every(({ pid }) => before.has(pid)), { timeoutMs: 2_000 });
}

function deaths(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.includes('part died, restarting'))
    .map((line) => (JSON.parse(line) as { part: string }).part);
}
