import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { connectionRecord, projectRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

describe('parley projects', () => {
  it('lists which can be selected, and the default', async () => {
    const projects = [projectRecord({ bound: true, is_default: true }), projectRecord({ slug: 'ops', name: 'Ops' })];
    await using gateway = await startFakeGateway({
      'GET /admin/v1/projects': { body: projects },
      'GET /admin/v1/connections': { body: [connectionRecord()] },
    });
    const { stdout } = await runCli(gateway.url, ['projects', 'list', '--workspace', 'w1']);
    expect(stdout).toMatch(/research +Research +yes +yes +provider_default +ollama /);
    expect(stdout).toMatch(/ops +Ops +provider_default /);
    expect(gateway.seen[0]?.path).toContain('workspace_id=w1');
  });

  it('registers one of an account by its label', async () => {
    const account = connectionRecord();
    await using gateway = await startFakeGateway({
      'GET /admin/v1/connections': { body: [account] },
      'POST /admin/v1/projects': { status: 201, body: projectRecord() },
    });
    const { stdout } = await runCli(gateway.url, ['projects', 'register', account.label, 'sp_1']);
    expect(stdout).toBe('Registered research (Research). To let it be selected: parley projects bind research\n');
    expect(gateway.seen.at(-1)?.body).toEqual({ upstream_account_id: account.id, upstream_reference: 'sp_1' });
  });

  it.each([
    ['bind', { bound: true }, 'Bound research.\n'],
    ['unbind', { bound: false }, 'Unbound research.\n'],
    ['set-default', { bound: true, is_default: true }, 'research is the default project now.\n'],
  ])('%s finds it by slug or id', async (command, body, text) => {
    const project = projectRecord();
    await using gateway = await startFakeGateway({
      'GET /admin/v1/projects': { body: [project] },
      [`PATCH /admin/v1/projects/${project.id}`]: { body: project },
    });
    for (const name of [project.slug, project.id]) {
      expect((await runCli(gateway.url, ['projects', command, name])).stdout).toBe(text);
      expect(gateway.seen.at(-1)?.body).toEqual(body);
    }
  });

  it('changes none of two with the same slug, and none that is not there', async () => {
    const projects = [projectRecord(), projectRecord({ id: '0190a000-0000-7000-8000-0000000000e2' })];
    await using gateway = await startFakeGateway({ 'GET /admin/v1/projects': { body: projects } });
    const twice = await runCli(gateway.url, ['projects', 'bind', 'research']);
    expect([twice.code, twice.stderr]).toEqual([1, 'parley: 2 projects have the slug "research"; give the id\n']);
    const missing = await runCli(gateway.url, ['projects', 'bind', 'ops']);
    expect([missing.code, missing.stderr]).toEqual([1, 'parley: no project has the slug or id "ops"; see: parley projects list\n']);
  });
});

describe('parley internal-projects', () => {
  const TEAM = { slug: 'team-a', name: 'Team A', policy: 'require_project' };

  it('sets, lists and removes', async () => {
    await using gateway = await startFakeGateway({
      'PUT /admin/v1/internal-projects/team-a': { body: TEAM },
      'GET /admin/v1/internal-projects': { body: [TEAM] },
      'DELETE /admin/v1/internal-projects/team-a': { status: 204 },
    });
    const set = await runCli(gateway.url, ['internal-projects', 'set', 'team-a', '--name', 'Team A', '--policy', 'require_project']);
    expect(set.stdout).toBe('Internal project team-a (Team A): require_project.\n');
    expect(gateway.seen[0]?.body).toEqual({ name: 'Team A', policy: 'require_project' });
    expect((await runCli(gateway.url, ['internal-projects', 'list'])).stdout).toMatch(/team-a +Team A +require_project\n/);
    expect((await runCli(gateway.url, ['internal-projects', 'remove', 'team-a'])).stdout).toBe('Removed team-a.\n');
  });

  it('leaves the policy to the gateway, and refuses one that it does not know', async () => {
    await using gateway = await startFakeGateway({ 'PUT /admin/v1/internal-projects/team-a': { body: TEAM } });
    await runCli(gateway.url, ['internal-projects', 'set', 'team-a']);
    expect(gateway.seen[0]?.body).toEqual({ name: 'team-a' });
    expect((await runCli(gateway.url, ['internal-projects', 'set', 'team-a', '--policy', 'maybe'])).code).toBe(2);
  });
});
