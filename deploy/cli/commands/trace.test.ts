import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../testing/fake-gateway.ts';
import { turnRecord } from '../testing/records.ts';
import { runCli } from '../testing/run-cli.ts';

describe('parley trace', () => {
  it('draws the time line of each turn of a request', async () => {
    const failed = turnRecord({
      ...{ status: 'failed', error: { code: 'PROVIDER_TIMEOUT', message: 'no answer in time' }, connection: { id: 'c2', label: null } },
      attempts: [{ connection: { id: 'c2', label: null }, outcome: 'PROVIDER_TIMEOUT', upstream_message: 'over\u001bloaded' }],
    });
    await using gateway = await startFakeGateway({ 'GET /admin/v1/requests/trip%2F42': { body: { turns: [turnRecord(), failed] } } });
    const { code, stdout } = await runCli(gateway.url, ['trace', 'trip/42']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Request +trip\/42$/m);
    expect(stdout).toMatch(/^Connection +main \(sandbox-1\)$/m);
    expect(stdout).toMatch(/^ +0 ms +▏ +edge\.received +request trip\/42$/m);
    expect(stdout).toMatch(/^ +50 ms +█{16}▏ +upstream\.accepted +the answer began$/m);
    expect(stdout).toMatch(/^ +100 ms +█{15}▏ +record\.ended +completed$/m);
    expect(stdout).toMatch(/^Status +failed: PROVIDER_TIMEOUT, no answer in time$/m);
    expect(stdout).toMatch(/^Upstream +c2: over\?loaded$/m);
  });

  it('gives what the gateway said as JSON', async () => {
    const body = { turns: [turnRecord()] };
    await using gateway = await startFakeGateway({ 'GET /admin/v1/requests/r1': { body } });
    expect(JSON.parse((await runCli(gateway.url, ['trace', 'r1', '--json'])).stdout)).toEqual(body);
  });

  it('says why nothing may be found', async () => {
    const body = { error: { code: 'REQUEST_NOT_FOUND', message: 'no turn has this id' } };
    await using gateway = await startFakeGateway({ 'GET /admin/v1/requests/r1': { status: 404, body } });
    const { code, stderr } = await runCli(gateway.url, ['trace', 'r1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^parley: no turn is recorded for "r1": .*rejected before its turn began.* parley turns\n$/);
  });
});
