import { describe, expect, it } from '@jest/globals';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { serviceAccountRecord, workspaceRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const LAB = workspaceRecord({ id: '0190a000-0000-7000-8000-0000000000b2', name: 'Lab' });
const DEPLOY = serviceAccountRecord();
const OF_LAB = serviceAccountRecord({
  ...{ id: '0190a000-0000-7000-8000-0000000000a2', name: 'report', instance_role: null },
  ...{ workspace_id: LAB.id, workspace_role: 'viewer', last_used_at: '2026-02-28T12:00:00.000Z' },
});
const PATH = '/admin/v1/service-accounts';
const LISTS = { [`GET ${PATH}`]: { body: [DEPLOY, OF_LAB] }, 'GET /admin/v1/workspaces': { body: [LAB] } };
const CREATED = { ...DEPLOY, client_secret: 'parley_sa_secret' };

describe('parley service-accounts', () => {
  it('lists accounts with their roles, and where they have them', async () => {
    await using gateway = await startFakeGateway(LISTS);
    const { stdout } = await runCli(gateway.url, ['service-accounts', 'list']);
    expect(stdout).toMatch(/deploy +active +auditor +the whole gateway +never +never\n/);
    expect(stdout).toMatch(/report +active +viewer +Lab +never +2026-02-28T12:00:00\.000Z\n/);
    await runCli(gateway.url, ['service-accounts', 'list', '--workspace', 'Lab', '--json']);
    expect(gateway.seen.at(-1)?.path).toContain(`workspace_id=${LAB.id}`);
  });

  it.each([
    [['--role', 'admin'], { workspace_id: DEFAULT_WORKSPACE_ID, workspace_role: 'admin' }],
    [['--role', 'viewer', '--workspace', 'Lab'], { workspace_id: LAB.id, workspace_role: 'viewer' }],
    [['--instance-role', 'auditor', '--expires-in', '1d'], { instance_role: 'auditor', expires_at: '2026-03-02T12:00:00.000Z' }],
  ])('adds one with %j, and shows its secret', async (options, body) => {
    await using gateway = await startFakeGateway({ ...LISTS, [`POST ${PATH}`]: { status: 201, body: CREATED } });
    const { code, stdout } = await runCli(gateway.url, ['service-accounts', 'add', 'deploy', ...options]);
    expect([code, gateway.seen.at(-1)?.body]).toEqual([0, { name: 'deploy', ...body }]);
    expect(stdout).toMatch(
      /SERVICE_ACCOUNT_ID +0190a000-0000-7000-8000-0000000000a1\n.*SERVICE_ACCOUNT_SECRET +parley_sa_secret +\(shown only/,
    );
  });

  it.each([
    [[], 'give either --role or --instance-role'],
    [['--role', 'admin', '--instance-role', 'admin'], 'give either --role or --instance-role'],
    [['--instance-role', 'admin', '--workspace', 'Lab'], '--workspace goes with --role'],
  ])('does not add one with %j', async (options, reason) => {
    await using gateway = await startFakeGateway(LISTS);
    const { code, stderr } = await runCli(gateway.url, ['service-accounts', 'add', 'deploy', ...options]);
    expect([code, stderr, gateway.seen]).toEqual([2, `parley: ${reason}\n`, []]);
  });

  it.each([['deploy'], [DEPLOY.id]])('gives %s a new secret, and removes it', async (name) => {
    const one = `${PATH}/${DEPLOY.id}`;
    await using gateway = await startFakeGateway({
      ...LISTS,
      [`POST ${one}/rotate-secret`]: { body: CREATED },
      [`DELETE ${one}`]: { status: 204 },
    });
    expect((await runCli(gateway.url, ['service-accounts', 'rotate-secret', name])).stdout).toContain('parley_sa_secret');
    expect((await runCli(gateway.url, ['service-accounts', 'remove', name])).stdout).toBe('Removed deploy.\n');
    expect(gateway.seen.at(-1)).toMatchObject({ method: 'DELETE', path: one });
  });

  it('asks which one is meant, and says which is not known', async () => {
    await using gateway = await startFakeGateway({ [`GET ${PATH}`]: { body: [DEPLOY, { ...OF_LAB, name: 'deploy' }] } });
    expect((await runCli(gateway.url, ['service-accounts', 'remove', 'deploy'])).stderr).toMatch(
      /^parley: 2 service accounts .*give the id/,
    );
    expect((await runCli(gateway.url, ['service-accounts', 'remove', 'eve'])).stderr).toMatch(/see: parley service-accounts list/);
    expect(gateway.seen.every(({ method }) => method === 'GET')).toBe(true);
  });
});
