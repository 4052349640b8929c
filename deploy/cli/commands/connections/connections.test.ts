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
    expect(stdout).toMatch(/DEFAULT +MODELS +DEFAULT MODEL +ALIASES +RESTING +LAST USED/);
    expect(gateway.seen[0]?.path).toContain('workspace_id=w1');
  });
});

describe('parley connections list, of models', () => {
  it('shows what is said of them, and why an account takes no turns', async () => {
    const said = connectionRecord({
      ...{ default_model: 'large', aliases: { fast: 'small', best: 'large' }, resting_models: ['old'], reason: 'its credit is spent' },
    });
    await using gateway = await startFakeGateway({ 'GET /admin/v1/connections': { body: [said] } });
    const { stdout } = await runCli(gateway.url, ['connections', 'list']);
    expect(stdout).toMatch(/yes +2 +large +fast=small, best=large +old +5m ago/);
    expect(stdout).toMatch(/its credit is spent$/m);
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

  it('sends what is said of models and passed on, and takes conversations back', async () => {
    const added = { ...RECORD, conversations_left: 0, conversations_taken: 12 };
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': { status: 201, body: added } });
    const models = [
      '--default-model',
      'large',
      '--alias',
      'fast=small',
      '--alias',
      'best=large',
      '--pass',
      'temperature, seed',
      '--pass',
      'stop',
    ];
    const { stdout } = await runCli(gateway.url, [...ADD, ...models, '--take-back']);
    expect(gateway.seen[0]?.body).toMatchObject({
      ...{ default_model: 'large', aliases: { fast: 'small', best: 'large' }, pass: ['temperature', 'seed', 'stop'], take_back: true },
    });
    expect(stdout).toContain('12 conversations were taken back.');
  });

  it('names --take-back where conversations are left behind', async () => {
    const added = { ...RECORD, conversations_left: 3, conversations_taken: 0 };
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': { status: 201, body: added } });
    expect((await runCli(gateway.url, ADD)).stdout).toMatch(/3 conversations .* removed as ollama cannot go on.*--take-back/);
  });

  it('sends the key of a service account whole', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': { status: 201, body: RECORD } });
    const key = JSON.stringify({ type: 'service_account', private_key: 'a\nb' }, null, 2);
    await runCli(gateway.url, ['connections', 'add', 'google-vertex', '--label', 'v', '--account', 'global', '--api-key-stdin'], {
      stdin: `${key}\n`,
    });
    expect(gateway.seen[0]?.body).toMatchObject({ provider: 'google-vertex', account: 'global', api_key: key });
  });

  it.each([
    [{ ok: true, code: null, message: '' }, 'healthy', /^Connected +ollama\n.*active, healthy/s],
    [
      { ok: false, code: 'PROVIDER_UNAVAILABLE', message: 'nothing listens' },
      'unknown',
      /stored, but does not work yet: nothing listens \[/,
    ],
  ])('tests what the gateway has not asked because its models were named: %j', async (result, health, shown) => {
    const untested = { status: 201, body: connectionRecord({ health: 'unknown' }) };
    const test = { body: { ...result, models: [], connection: connectionRecord({ health }) } };
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections': untested, [`POST ${PATH}/test`]: test });
    expect((await runCli(gateway.url, [...ADD, '--model', 'm'])).stdout).toMatch(shown);
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
    [['--alias', 'fast'], /must be name=model/],
    [['--alias', '=small'], /must be name=model/],
    [['--pass', 'seed,,stop'], /must be names/],
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

  it('test says which models are new, and which are gone', async () => {
    const now = connectionRecord({ models: ['large', 'huge'], default_model: 'large' });
    const result = { ok: true, code: null, message: '', models: now.models, connection: now };
    await using gateway = await startFakeGateway({ ...LIST, [`POST ${PATH}/test`]: { body: result } });
    expect((await runCli(gateway.url, ['connections', 'test', 'ollama'])).stdout.split('\n')).toEqual([
      ...['ollama works.', 'Status         active, healthy', 'Models         2: large, huge', 'Default model  large'],
      ...['New models     huge', 'Gone models    small', ''],
    ]);
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
    [['--default-model', 'large', '--pass', 'seed'], { default_model: 'large', pass: ['seed'] }],
    [['--default-model', 'none', '--pass', 'none', '--alias', 'none'], { default_model: null, pass: [], aliases: {} }],
    [['--alias', 'best=large'], { aliases: { fast: 'small', best: 'large' } }],
    [['--alias', 'fast=', '--alias', 'a=b=c'], { aliases: { a: 'b=c' } }],
    [['--alias', 'none', '--alias', 'best=large'], { aliases: { best: 'large' } }],
  ])('update sends %j', async (options, change) => {
    const before = { body: [connectionRecord({ aliases: { fast: 'small' } })] };
    await using gateway = await startFakeGateway({ 'GET /admin/v1/connections': before, [`PATCH ${PATH}`]: { body: RECORD } });
    expect((await runCli(gateway.url, ['connections', 'update', 'ollama', ...options])).code).toBe(0);
    expect(gateway.seen[1]?.body).toEqual(change);
  });

  it.each([[[]], [['--max-concurrency', '0']]])('update ends with code 2 for %j', async (options) => {
    expect((await runCli('http://127.0.0.1:1', ['connections', 'update', 'ollama', ...options])).code).toBe(2);
  });

  it('reconnect sends new credentials, and says which models are new', async () => {
    const changed = connectionRecord({ models: ['small', 'large', 'huge'] });
    await using gateway = await startFakeGateway({ ...LIST, [`PATCH ${PATH}`]: { body: changed } });
    const { stdout } = await runCli(gateway.url, ['connections', 'reconnect', 'ollama', '--api-key-stdin'], { stdin: 'sk-new' });
    expect(gateway.seen[1]?.body).toEqual({ api_key: 'sk-new' });
    expect(stdout).toMatch(/^Reconnected +ollama\n/);
    expect(stdout).toMatch(/^New models +huge$/m);
  });

  it('reconnect wants to know what is new', async () => {
    expect((await runCli('http://127.0.0.1:1', ['connections', 'reconnect', 'ollama'])).code).toBe(2);
  });

  const removal = (conversations: number, moved: number) => ({ [`DELETE ${PATH}`]: { body: { deleted: true, conversations, moved } } });

  it('remove deletes in the workspace that was named', async () => {
    await using gateway = await startFakeGateway({ ...LIST, ...removal(0, 0) });
    const { stdout } = await runCli(gateway.url, ['connections', 'remove', 'ollama', '--workspace', 'w1', '--json']);
    expect(JSON.parse(stdout)).toEqual({ id: RECORD.id, label: 'ollama', removed: true, conversations: 0, moved: 0 });
    expect(gateway.seen[1]?.path).toBe(`${PATH}?workspace_id=w1`);
  });

  it.each([
    [[], 0, 0, 'Removed ollama. It had no conversations.'],
    [[], 12, 0, 'Removed ollama. Its 12 conversations can be read, and not continued; see --take-back of connections add.'],
    [['--move-to', 'vllm'], 12, 12, 'Removed ollama. 12 of its 12 conversations go on with vllm.'],
  ])('remove with %j says what became of %i conversations', async (options, conversations, moved, said) => {
    await using gateway = await startFakeGateway({ ...LIST, ...removal(conversations, moved) });
    expect((await runCli(gateway.url, ['connections', 'remove', 'ollama', ...options])).stdout).toBe(`${said}\n`);
    expect(gateway.seen[1]?.path).toBe(options.length > 0 ? `${PATH}?move_to=vllm` : PATH);
  });

  it('remove repeats what was cut off, by the id of the connection', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/connections': { body: [] }, ...removal(1, 0) });
    expect((await runCli(gateway.url, ['connections', 'remove', RECORD.id])).code).toBe(0);
    expect((await runCli(gateway.url, ['connections', 'remove', 'ollama'])).code).toBe(1);
  });

  it('rotate-secrets says how many', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/connections/rotate-secrets': { body: { rotated: 3, key_id: 'k2' } } });
    expect((await runCli(gateway.url, ['connections', 'rotate-secrets'])).stdout).toBe(
      '3 secrets encrypted anew; all of them are under key k2 now.\n',
    );
  });
});
