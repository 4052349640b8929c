import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../testing/fake-gateway.ts';
import { runCli } from '../testing/run-cli.ts';

const NUMBERS = {
  ...{ requests: 3, successful: 2, errors: 1, rate_limited: 0, tokens_in: 120, tokens_out: 480, duration_ms: 2_400 },
  duration: { count: 3, p50_ms: 700, p90_ms: 900, p95_ms: 950, p99_ms: 990 },
  first_token: { count: 0, p50_ms: 0, p90_ms: 0, p95_ms: 0, p99_ms: 0 },
  errors_by_code: [
    { code: 'PROVIDER_TIMEOUT', count: 2 },
    { code: 'EMPTY', count: 1 },
  ],
};
const REPORT = {
  period: '24h',
  by: 'connection',
  groups: [
    { id: 'c1', name: 'openai', ...NUMBERS },
    { id: 'c2', name: null, ...NUMBERS },
  ],
};

describe('parley usage', () => {
  it('shows the sums by what it is asked for, with the ids of what was deleted', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/usage': { body: REPORT } });
    const { code, stdout } = await runCli(gateway.url, ['usage', '--by', 'connection', '--period', '24h', '--workspace', 'w1']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^CONNECTION +REQUESTS +SUCCESSFUL +ERRORS +RATE LIMITED +TOKENS IN +TOKENS OUT +P50 MS +P95 MS +P99 MS +FIRST TOKEN P50 MS +P95 MS +ERRORS BY CODE\n/,
    );
    expect(stdout).toMatch(/^openai +3 +2 +1 +0 +120 +480 +700 +950 +990 +- +- +PROVIDER_TIMEOUT 2, EMPTY 1$/m);
    expect(stdout).toMatch(/^c2 +3 /m);
    expect(gateway.seen[0]?.path).toBe('/admin/v1/usage?by=connection&period=24h&workspace_id=w1');
  });

  it('writes the CSV of the gateway as it is', async () => {
    const csv = 'hour,name\r\n2026-06-15T11:00:00Z,\r\n';
    await using gateway = await startFakeGateway({ 'GET /admin/v1/usage': { body: csv } });
    const { code, stdout } = await runCli(gateway.url, ['usage', '--by', 'hour', '--workspace', 'all', '--csv']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: csv });
    expect(gateway.seen[0]).toMatchObject({ path: '/admin/v1/usage?by=hour&workspace_id=all', headers: { accept: 'text/csv' } });
  });

  it('gives what the gateway said as JSON, and rejects other groups', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/usage': { body: REPORT } });
    expect(JSON.parse((await runCli(gateway.url, ['usage', '--json'])).stdout)).toEqual(REPORT);
    expect(gateway.seen[0]?.path).toBe('/admin/v1/usage?by=key');
    expect((await runCli(gateway.url, ['usage', '--by', 'user'])).code).toBe(2);
  });
});
