import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { createRun, runEnded } from '../harness/actions.ts';
import { ask, said, stream } from '../harness/chat.ts';
import { readStream } from '../harness/event-stream.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { type Parley, START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { deathsOf, killPart, partOf } from '../harness/parts.ts';
import { nothingLeft } from '../harness/processes.ts';
import { expectOneLine } from '../harness/refused-start.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { curl, curlArguments } from '../harness/shell.ts';

const RECALL = 'what did I ask you to remember?';
const REMEMBERED = 'You asked me to remember: the blue door.';
const LIFE_MS = START_MS + STOP_MS;

describe.each(['single', 'separate'] as const)('a Parley that is stopped and started (%s)', (topology) => {
  let gateway: Parley;
  let first: Parley;
  let conversation: string;
  beforeAll(async () => {
    gateway = first = await startParley({ topology, presetKey: false, env: { PARLEY_EXAMPLE_ACTIONS: 'enabled' } });
    conversation = said(await ask(gateway, { say: 'remember the blue door' })).conversation;
  });
  afterAll(() => first.dispose());

  const opensTicket = async () => {
    const me = { gateway, key: gateway.apiKey };
    const run = await runEnded(me, await createRun(me, 'open-ticket', { title: 'The door is stuck' }));
    expect(run).toMatchObject({ status: 'succeeded', verdict: 'passed', output: { status: 'open' } });
  };
  const recalls = async () => said(await ask(gateway, { conversation, say: RECALL })).text;

  it('shows its key and a line to paste on the first run', async () => {
    const output = gateway.output();
    expect(output).toContain(`${gateway.url}/v1`);
    expect(output.match(/API key +gmk_live_[0-9A-Za-z]{43} /g)).toHaveLength(1);
    const line = output.split('\n').find((text) => text.trimStart().startsWith('curl ')) ?? '';
    expect(await curl(await curlArguments(line))).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] });
  });

  it('runs the documented actions at once', async () => {
    const { json } = await call(gateway, 'GET', '/v1/actions', { key: gateway.apiKey });
    expect(json).toMatchObject([{ slug: 'open-ticket' }, { slug: 'speak-text' }, { slug: 'summarise-document' }]);
    await opensTicket();
  });

  it('is refused a second time in the same data folder', async () => {
    await expectOneLine(
      { PARLEY_DATA_DIR: gateway.dataDir },
      new RegExp(`${gateway.dataDir} is in use by another Parley \\(pid ${gateway.pid}\\)`),
    );
    expect(await recalls()).toBe(REMEMBERED);
  });

  it('finishes what is under way on SIGTERM, refuses what is new, and ends with 0', async () => {
    const sandbox = new Sandbox(() => gateway);
    await sandbox.setPace(500);
    const streams = await Promise.all(Array.from({ length: 5 }, () => stream(gateway, { say: 'count to 60' })));
    const family = gateway.family();
    gateway.signal('SIGTERM');
    const probe = await waitFor(async () => [await call(gateway, 'GET', '/readyz')].find(({ status }) => status === 503));
    expect(probe.json).toMatchObject({ status: 'draining' });
    const refused = await ask(gateway);
    expectRefusal(refused, { status: 503, code: 'shutting_down' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await sandbox.setPace(0);
    for (const answer of await Promise.all(streams.map(readStream))) {
      expect(answer.text).toMatch(/^1 2 3 .* 60$/);
      expect(answer.data.at(-1)).toBe('[DONE]');
    }
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    await nothingLeft(family, gateway.dataDir, 8_000);
  });

  it('keeps its conversations and its key, and shows the key no more', async () => {
    gateway = await gateway.restart();
    expect(await recalls()).toBe(REMEMBERED);
    await opensTicket();
    expect(gateway.run.sandbox_url).toBe(first.run.sandbox_url);
    expect(gateway.apiKey).toBe(first.apiKey);
    expect(gateway.output()).not.toContain('gmk_live_');
    expect(await gateway.log()).not.toContain(gateway.apiKey);
    const line =
      gateway
        .output()
        .split('\n')
        .find((text) => text.trimStart().startsWith('curl ')) ?? '';
    expect(await curl(await curlArguments(line, { PARLEY_API_KEY: gateway.apiKey }))).toMatchObject({ object: 'chat.completion' });
  });

  it('ends with 0 on SIGINT and leaves nothing running', async () => {
    expect(await gateway.stop('SIGINT')).toEqual({ code: 0, signal: null });
  });

  it('starts again after that', async () => {
    gateway = await gateway.restart();
    expect(await recalls()).toBe(REMEMBERED);
  });

  const SERVICES = topology === 'single' ? (['parley'] as const) : (['edge', 'chat-routing', 'conversation', 'usage'] as const);

  it.each(['postgres', 'nats', 'sandbox', ...SERVICES] as const)('starts %s again when it dies, says so, and goes on', async (name) => {
    const part = await killPart(gateway, name);
    await waitFor(async () => (await deathsOf(gateway)).some((death) => death.part === name));
    await partOf(gateway, name, part);
    // Turns that fail while their upstream is on its way back open its breaker, which is another matter.
    if (name === 'sandbox') await waitFor(async () => (await fetch(gateway.run.sandbox_control_url)).status < 500);
    const request = () => ask(gateway, { conversation, say: RECALL, signal: AbortSignal.timeout(20_000) });
    const answer = await waitFor(async () => [await request()].find(({ status }) => status === 200), { everyMs: 100 });
    expect(said(answer).text).toBe(REMEMBERED);
    await waitFor(async () => (await call(gateway, 'GET', '/readyz')).status === 200);
  });

  it(
    'leaves nothing running when it is killed, and starts again',
    async () => {
      expect(await gateway.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      gateway = await gateway.restart();
      expect(await recalls()).toBe(REMEMBERED);
    },
    2 * LIFE_MS,
  );
});
