import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { runCli } from '../../testing/run-cli.ts';

const ID = '0190a000-0000-7000-8000-000000000001';
const RECORD = { id: ID, name: 'team', status: 'active', quotas: { requests: '5 per 1 day', tokens: null, audio_seconds: 'unlimited' } };

describe('parley workspaces', () => {
  it('lists them with their quotas', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/workspaces': { body: [RECORD] } });
    const { stdout } = await runCli(gateway.url, ['workspaces', 'list']);
    expect(stdout).toContain('requests 5 per 1 day, tokens default, audio seconds unlimited');
  });

  it('sets quotas of one', async () => {
    await using gateway = await startFakeGateway({ [`PATCH /admin/v1/workspaces/${ID}`]: { body: RECORD } });
    const { code, stdout } = await runCli(gateway.url, [
      'workspaces',
      'update',
      ID,
      '--quota-requests',
      '5 per 1 day',
      '--quota-tokens',
      'default',
    ]);
    expect([code, stdout]).toEqual([0, 'team: requests 5 per 1 day, tokens default, audio seconds unlimited.\n']);
    expect(gateway.seen[0]?.body).toEqual({ quotas: { requests: '5 per 1 day', tokens: null } });
  });

  it('changes nothing when nothing is said', async () => {
    expect((await runCli('http://127.0.0.1:1', ['workspaces', 'update', ID])).code).toBe(2);
  });
});
