import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeGateway, startFakeGateway } from './testing/fake-gateway.ts';
import { OPERATOR_KEY, runCli } from './testing/run-cli.ts';

const REFUSAL = { error: { code: 'KEY_NOT_FOUND', message: 'no such key', request_id: 'r', retryable: false } };

describe('the command line', () => {
  let gateway: FakeGateway;

  beforeEach(async () => {
    gateway = await startFakeGateway({
      'GET /admin/v1/keys': { status: 404, body: REFUSAL },
      'GET /admin/v1/route-profiles': { body: [{ name: 'of another version' }] },
    });
  });
  afterEach(async () => gateway[Symbol.asyncDispose]());

  it('fails with one line and code 1 when the gateway refuses', async () => {
    expect(await runCli(gateway.url, ['keys', 'list'])).toEqual({ code: 1, stdout: '', stderr: 'parley: no such key [KEY_NOT_FOUND]\n' });
  });

  it('gives the error as JSON to who wants JSON', async () => {
    const { stderr } = await runCli(gateway.url, ['keys', 'list', '--json']);
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'KEY_NOT_FOUND', message: 'no such key [KEY_NOT_FOUND]' } });
  });

  it('says so when the operator key is not accepted', async () => {
    await using strict = await startFakeGateway({
      'POST /admin/v1/token': { status: 401, body: { error: { code: 'SIGN_IN_FAILED', message: 'not accepted' } } },
    });
    expect((await runCli(strict.url, ['status'])).stderr).toMatch(/does not accept this operator key; check PARLEY_OPERATOR_KEY\n$/);
    const env = { PARLEY_SERVICE_ACCOUNT_ID: 'id', PARLEY_SERVICE_ACCOUNT_SECRET: 'secret' };
    expect((await runCli(strict.url, ['status'], { env })).stderr).toMatch(/service account; check PARLEY_SERVICE_ACCOUNT_ID/);
    expect(strict.exchanged).toEqual([{ operator_key: OPERATOR_KEY }, { client_id: 'id', client_secret: 'secret' }]);
  });

  it('says so when something else answers, or another version', async () => {
    expect((await runCli(gateway.url, ['connections', 'list'])).stderr).toMatch(/does not answer like a Parley gateway \(HTTP 404\)\n$/);
    expect((await runCli(gateway.url, ['profiles', 'list'])).stderr).toMatch(/that this version does not understand\n$/);
  });

  it('says so when nothing listens', async () => {
    await gateway[Symbol.asyncDispose]();
    const { code, stderr } = await runCli(gateway.url, ['status']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `parley: cannot reach the gateway at ${gateway.url} (nothing listens there); start it with npm start, or set PARLEY_URL\n`,
    );
  });

  it.each([
    [['stauts'], "parley: unknown command 'stauts' (Did you mean status?)\n"],
    [['status', '--jso'], "parley: unknown option '--jso' (Did you mean --json?)\n"],
    [['keys', 'create'], "parley: required option '--name <name>' not specified\n"],
    [['keys', 'revoke'], "parley: missing required argument 'key'\n"],
    [['status', 'now'], "parley: too many arguments for 'status'. Expected 0 arguments but got 1.\n"],
  ])('ends with code 2 and one line for %j', async (args, stderr) => {
    expect(await runCli(gateway.url, args)).toEqual({ code: 2, stdout: '', stderr });
    expect(gateway.seen).toEqual([]);
  });

  it('shows help for a command without its second word, with code 2', async () => {
    const { code, stderr } = await runCli(gateway.url, ['keys']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Usage: parley keys [^]*\nparley: a command is missing; see: parley help\n$/);
  });

  it('shows help on stdout with code 0 when asked', async () => {
    const { code, stdout, stderr } = await runCli(gateway.url, ['connections', 'add', '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: parley connections add [^]*--api-key-stdin/);
  });
});
