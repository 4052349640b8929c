import { describe, expect, it } from '@jest/globals';
import { startFakeGateway, TOKEN } from '../testing/fake-gateway.ts';
import { OPERATOR_KEY, runCli } from '../testing/run-cli.ts';

function reportOf(status: string) {
  return {
    version: '0.9.0',
    topology: 'single',
    instance: 'parley',
    started_at: '2026-03-01T11:00:00.000Z',
    uptime_seconds: 3_700,
    readiness: { status, checks: { database: { ok: true, ms: 2 }, usage: { ok: false, ms: 1_500, detail: 'not serving' } } },
    connections: { total: 3, by_status: { active: 2, rate_limited: 1 } },
  };
}

describe('parley status', () => {
  it('shows the parts and accounts, asking with a token for the operator key', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/status': { body: reportOf('ready') } });
    const { code, stdout } = await runCli(gateway.url, ['status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Up for +1h\n/);
    expect(stdout).toMatch(/Connections +2 active, 1 rate limited\n/);
    expect(stdout).toMatch(/usage +failing +1500 ms +not serving\n/);
    expect(gateway.exchanged).toEqual([{ operator_key: OPERATOR_KEY }]);
    expect(gateway.seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('fails while the gateway is not ready, and still shows it', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/status': { body: reportOf('not_ready') } });
    const { code, stdout } = await runCli(gateway.url, ['status']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/State +not ready\n/);
  });

  it('gives what the gateway said as JSON, and asks for one workspace', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/status': { body: reportOf('ready') } });
    const { stdout } = await runCli(gateway.url, ['status', '--json', '--workspace', 'w1']);
    expect(JSON.parse(stdout)).toEqual(reportOf('ready'));
    expect(gateway.seen[0]?.path).toBe('/admin/v1/status?workspace_id=w1');
  });
});
