import { describe, expect, it } from '@jest/globals';
import { type Replies, startFakeGateway } from '../testing/fake-gateway.ts';
import { connectionRecord } from '../testing/records.ts';
import { NOW, runCli } from '../testing/run-cli.ts';

const CHECKS = { database: { ok: true, ms: 1 }, 'chat-routing': { ok: true, ms: 2 } };
const DATE = { date: new Date(NOW).toUTCString() };

function healthy(change: Replies = {}): Replies {
  return {
    'GET /livez': { body: { status: 'ok' }, headers: DATE },
    'GET /readyz': { body: { status: 'ready', checks: CHECKS } },
    'GET /admin/v1/connections': { body: [connectionRecord()] },
    ...change,
  };
}

async function examine(replies: Replies) {
  await using gateway = await startFakeGateway(replies);
  return await runCli(gateway.url, ['doctor']);
}

describe('parley doctor', () => {
  it('finds nothing wrong', async () => {
    const { code, stdout } = await examine(healthy());
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok +connection ollama: active, healthy\n\nAll is well\.\n$/);
  });

  it('fails and gives advice when a part that is needed fails', async () => {
    const body = { status: 'not_ready', checks: { database: { ok: false, ms: 1_000, detail: 'no answer within 1000 ms' } } };
    const { code, stdout } = await examine(healthy({ 'GET /readyz': { status: 503, body } }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL +database: no answer within 1000 ms\n +→ check DATABASE_URL/);
  });

  it('only warns of a part that the gateway can do without', async () => {
    const checks = { ...CHECKS, broker: { ok: false, ms: 0, detail: 'not connected' } };
    const { code, stdout } = await examine(healthy({ 'GET /readyz': { body: { status: 'ready', checks } } }));
    expect(code).toBe(0);
    expect(stdout).toMatch(/warn +broker: not connected\n +→ check NATS_URL[^]*It works; mind the warnings\.\n$/);
  });

  it.each([
    ['expired', 'FAIL', 1, 'reconnect ollama'],
    ['cooldown', 'warn', 0, 'connections test ollama'],
    ['rate_limited', 'warn', 0, 'wait, or connect another account'],
    ['disabled', 'skip', 0, 'connections enable ollama'],
  ])('says what to do about an account that is %s', async (status, mark, exit, advice) => {
    const { code, stdout } = await examine(healthy({ 'GET /admin/v1/connections': { body: [connectionRecord({ status })] } }));
    expect(code).toBe(exit);
    expect(stdout).toMatch(new RegExp(`${mark} +connection ollama: .*\n +→ .*${advice}`));
  });

  it('fails when no account is connected', async () => {
    const { code, stdout } = await examine(healthy({ 'GET /admin/v1/connections': { body: [] } }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/no account is connected/);
  });

  it('warns of clocks that disagree', async () => {
    const date = new Date(NOW + 60_000).toUTCString();
    const { stdout } = await examine(healthy({ 'GET /livez': { body: {}, headers: { date } } }));
    expect(stdout).toMatch(/warn +clock: 60 s behind the gateway/);
  });

  it('stops at a gateway that is not there', async () => {
    const { code, stdout } = await examine({});
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL +gateway: .* answers HTTP 404 to \/livez[^]*One thing is wrong\.\n$/);
  });

  it('says that an operator key is not accepted', async () => {
    const refusal = { status: 401, body: { error: { code: 'SIGN_IN_FAILED', message: 'not accepted' } } };
    const { code, stdout } = await examine(healthy({ 'POST /admin/v1/token': refusal }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/does not accept this operator key/);
  });

  it('gives its findings as JSON', async () => {
    await using gateway = await startFakeGateway(healthy());
    const { stdout } = await runCli(gateway.url, ['doctor', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([{ name: 'node', state: 'ok', detail: 'version 22.1.0' }]) as unknown,
    });
  });
});
