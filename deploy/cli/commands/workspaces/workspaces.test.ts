import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { workspaceRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const QUOTAS = { requests: '5 per 1 day', tokens: null, audio_seconds: 'unlimited' };
const SHOWN = 'requests 5 per 1 day, tokens default, audio seconds unlimited';
const RECORD = workspaceRecord();
const OTHER = workspaceRecord({ id: '0190a000-0000-7000-8000-0000000000b2', name: 'Lab', max_concurrency: 20, quotas: QUOTAS });
const LIST = { 'GET /admin/v1/workspaces': { body: [RECORD, OTHER] } };
const PATH = `PATCH /admin/v1/workspaces/${OTHER.id}`;

describe('parley workspaces', () => {
  it('lists how much each may have under way, and use', async () => {
    await using gateway = await startFakeGateway(LIST);
    const { stdout } = await runCli(gateway.url, ['workspaces', 'list']);
    expect(stdout).toMatch(/default +active +as configured +requests default, tokens default, audio seconds default\n/);
    expect(stdout).toMatch(/Lab +active +20 +requests 5 per 1 day, /);
  });

  it('creates one', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/workspaces': { status: 201, body: OTHER } });
    expect((await runCli(gateway.url, ['workspaces', 'create', 'Lab'])).stdout).toBe(`Created Lab: ${OTHER.id}\n`);
    expect(gateway.seen[0]?.body).toEqual({ name: 'Lab' });
  });

  it.each([
    [['--max-concurrency', '5'], { max_concurrency: 5 }],
    [['--max-concurrency', 'default'], { max_concurrency: null }],
    [['--quota-requests', '5 per 1 day', '--quota-tokens', 'default'], { quotas: { requests: '5 per 1 day', tokens: null } }],
    [['--status', 'disabled', '--name', 'Workshop'], { status: 'disabled', name: 'Workshop' }],
  ])('changes one by its name: %j', async (options, body) => {
    const changed = workspaceRecord({ ...OTHER, ...body, quotas: QUOTAS });
    await using gateway = await startFakeGateway({ ...LIST, [PATH]: { body: changed } });
    const { code, stdout } = await runCli(gateway.url, ['workspaces', 'update', 'Lab', ...options]);
    const bound = changed.max_concurrency ?? 'as many as configured';
    expect([code, stdout]).toEqual([0, `${changed.name} is ${changed.status}, with ${bound} requests at once at each edge; ${SHOWN}.\n`]);
    expect(gateway.seen.at(-1)?.body).toEqual(body);
  });

  it.each([
    [[OTHER.id], 2, /give --name, --status, --max-concurrency or a quota/],
    [[OTHER.id, '--max-concurrency', '0'], 2, /must be a whole number from 1/],
    [['elsewhere', '--name', 'x'], 1, /no workspace has the name or id "elsewhere"/],
  ])('refuses %j', async (args, code, message) => {
    await using gateway = await startFakeGateway(LIST);
    const refused = await runCli(gateway.url, ['workspaces', 'update', ...args]);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toMatch(message);
  });

  it('asks for the id where two have the name', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/workspaces': { body: [OTHER, workspaceRecord({ name: 'Lab' })] } });
    expect((await runCli(gateway.url, ['workspaces', 'update', 'Lab', '--name', 'x'])).stderr).toMatch(/2 workspaces .* give the id/);
  });
});
