import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { connectionRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const RECORD = connectionRecord();
const LIST = { 'GET /admin/v1/connections': { body: [RECORD] } };
const PATH = `/admin/v1/connections/${RECORD.id}`;
const ADD = ['connections', 'add', 'openai-compatible', '--label', 'ollama', '--base-url', 'http://127.0.0.1:11434/v1'];

describe('parley connections list', () => {
  it('shows how long a throttled account has to wait', async () => {
    const waiting = connectionRecord({ status: 'rate_limited', health: 'rate_limited', cooldown_seconds: 240 });
    await using gateway = await startFakeGateway({ 'GET /admin/v1/connections': { body: [waiting] } });
    const { stdout } = await runCli(gateway.url, ['connections', 'list', '--workspace', 'w1']);
    expect(stdout).toMatch(/ollama +openai-compatible +rate_limited \(240s left\) +rate_limited +yes +2 +5m ago/);
    expect(gateway.seen[0]?.path).toContain('workspace_id=w1');
  });
});

describe('parley connections add', () => {
  it('sends the secret from standard input and never shows it', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': { status: 201, body: RECORD } });
    const { code, stdout, stderr } = await runCli(
      gateway.url,
      [...ADD, '--api-key-stdin', '--model', 'a', '--model', 'b', '--max-concurrency', '8', '--default'],
      {
        stdin: 'sk-secret\n',
      },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('sk-secret');
    expect(gateway.seen[0]?.body).toEqual({
      provider: 'openai-compatible',
      label: 'ollama',
      base_url: 'http://127.0.0.1:11434/v1',
      models: ['a', 'b'],
      max_concurrency: 8,
      is_default: true,
      api_key: 'sk-secret',
    });
  });

  it('takes a password from the environment', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': { status: 201, body: RECORD } });
    await runCli(gateway.url, [...ADD, '--account', 'ada', '--password-env', 'PASSWORD'], { env: { PASSWORD: 'pw' } });
    expect(gateway.seen[0]?.body).toMatchObject({ account: 'ada', password: 'pw' });
  });

  it('needs no secret', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': { status: 201, body: RECORD } });
    await runCli(gateway.url, ADD);
    expect(Object.keys(gateway.seen[0]?.body as object)).not.toContain('api_key');
  });

  it.each([
    [['--api-key-stdin'], /standard input was empty/],
    [['--api-key-env', 'NOT_THERE'], /NOT_THERE is not set/],
    [['--api-key-stdin', '--password-env', 'P'], /give one secret/],
    [['--api-key', 'sk-secret'], /unknown option '--api-key'/],
  ])('ends with code 2 for %j', async (options, message) => {
    const { code, stderr } = await runCli('http://127.0.0.1:1', [...ADD, ...options]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('the other connection commands', () => {
  it('test fails when the account does not work', async () => {
    const result = { ok: false, code: 'PROVIDER_UNAVAILABLE', message: 'no answer', models: [], connection: null };
    await using gateway = await startFakeGateway({ ...LIST, [`POST ${PATH}/test`]: { body: result } });
    expect(await runCli(gateway.url, ['connections', 'test', 'ollama'])).toEqual({
      code: 1,
      stdout: 'ollama does not work: no answer [PROVIDER_UNAVAILABLE]\n',
      stderr: '',
    });
  });

  it('names the labels there are when one is unknown', async () => {
    await using gateway = await startFakeGateway(LIST);
    expect((await runCli(gateway.url, ['connections', 'remove', 'olama'])).stderr).toBe(
      'parley: no connection has the label or id "olama"; there are: ollama\n',
    );
  });

  it.each([
    ['enable', true],
    ['disable', false],
  ])('%s changes one thing', async (command, enabled) => {
    await using gateway = await startFakeGateway({ ...LIST, [`PATCH ${PATH}`]: { body: RECORD } });
    await runCli(gateway.url, ['connections', command, RECORD.id]);
    expect(gateway.seen[1]?.body).toEqual({ enabled });
  });

  it.each([
    [['--max-concurrency', '8'], { max_concurrency: 8 }],
    [['--max-concurrency', 'default', '--label', 'b'], { max_concurrency: null, label: 'b' }],
  ])('update sends %j', async (options, change) => {
    await using gateway = await startFakeGateway({ ...LIST, [`PATCH ${PATH}`]: { body: RECORD } });
    expect((await runCli(gateway.url, ['connections', 'update', 'ollama', ...options])).code).toBe(0);
    expect(gateway.seen[1]?.body).toEqual(change);
  });

  it.each([[[]], [['--max-concurrency', '0']]])('update ends with code 2 for %j', async (options) => {
    expect((await runCli('http://127.0.0.1:1', ['connections', 'update', 'ollama', ...options])).code).toBe(2);
  });

  it('reconnect sends new credentials', async () => {
    await using gateway = await startFakeGateway({ ...LIST, [`PATCH ${PATH}`]: { body: RECORD } });
    await runCli(gateway.url, ['connections', 'reconnect', 'ollama', '--api-key-stdin'], { stdin: 'sk-new' });
    expect(gateway.seen[1]?.body).toEqual({ api_key: 'sk-new' });
  });

  it('reconnect wants to know what is new', async () => {
    expect((await runCli('http://127.0.0.1:1', ['connections', 'reconnect', 'ollama'])).code).toBe(2);
  });

  it('remove deletes in the workspace that was named', async () => {
    await using gateway = await startFakeGateway({ ...LIST, [`DELETE ${PATH}`]: { status: 204 } });
    const { stdout } = await runCli(gateway.url, ['connections', 'remove', 'ollama', '--workspace', 'w1', '--json']);
    expect(JSON.parse(stdout)).toEqual({ id: RECORD.id, label: 'ollama', removed: true });
    expect(gateway.seen[1]?.path).toBe(`${PATH}?workspace_id=w1`);
  });

  it('rotate-secrets says how many', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections/rotate-secrets': { body: { rotated: 3, key_id: 'k2' } } });
    expect((await runCli(gateway.url, ['connections', 'rotate-secrets'])).stdout).toBe(
      '3 secrets encrypted anew; all of them are under key k2 now.\n',
    );
  });
});
