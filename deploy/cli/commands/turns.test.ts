import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../testing/fake-gateway.ts';
import { connectionRecord, turnRecord } from '../testing/records.ts';
import { runCli } from '../testing/run-cli.ts';

describe('parley turns', () => {
  it('asks on until there are enough turns', async () => {
    const pages = [
      { turns: [turnRecord()], next_cursor: 't1' },
      { turns: [], next_cursor: 't2' },
      { turns: [turnRecord({ turn_id: 'the last', duration_ms: null, status: 'streaming' })], next_cursor: null },
    ];
    await using gateway = await startFakeGateway({ 'GET /admin/v1/turns': () => ({ body: pages.shift() }) });
    const { code, stdout } = await runCli(gateway.url, ['turns', '--limit', '3', '--since', '1h']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^STARTED +TURN +STATUS +ERROR +TOOK +CONNECTION +MODEL +REQUEST\n/);
    expect(stdout).toMatch(/ the last +streaming +main +sandbox-1 +trip\/42$/m);
    expect(gateway.seen.map(({ path }) => path)).toEqual([
      '/admin/v1/turns?since=2026-03-01T11%3A00%3A00.000Z&limit=3',
      '/admin/v1/turns?since=2026-03-01T11%3A00%3A00.000Z&limit=2&cursor=t1',
      '/admin/v1/turns?since=2026-03-01T11%3A00%3A00.000Z&limit=2&cursor=t2',
    ]);
  });

  it('filters, and says when nothing matches', async () => {
    await using gateway = await startFakeGateway({
      'GET /admin/v1/turns': { body: { turns: [], next_cursor: null } },
      'GET /admin/v1/connections': { body: [connectionRecord({ id: 'c1', label: 'main' })] },
    });
    const filters = [
      '--status',
      'failed',
      '--error',
      'PROVIDER_TIMEOUT',
      '--connection',
      'main',
      '--workspace',
      'w1',
      '--slower-than',
      '10s',
    ];
    const { stdout } = await runCli(gateway.url, ['turns', ...filters, '--until', '10m']);
    expect(stdout).toBe('No turn matches.\n');
    const { searchParams } = new URL(gateway.seen.at(-1)?.path ?? '', gateway.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ since: '2026-02-28T12:00:00.000Z', until: '2026-03-01T11:50:00.000Z', status: 'failed', error_code: 'PROVIDER_TIMEOUT' },
      ...{ connection_id: 'c1', workspace_id: 'w1', slower_than: '10000', limit: '50' },
    });
    expect((await runCli(gateway.url, ['turns', '--limit', '0'])).code).toBe(2);
    expect((await runCli(gateway.url, ['turns', '--status', 'done'])).code).toBe(2);
  });
});
