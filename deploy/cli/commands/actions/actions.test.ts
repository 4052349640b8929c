import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { workspaceRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../../../docs/actions/${name}`, import.meta.url));
const TICKET = example('open-ticket.arazzo.yaml');
const ACTION = {
  slug: 'open-ticket',
  title: 'Open a ticket',
  version: 2,
  status: 'active',
  risk: 'write',
  requires_connection: true,
  step_count: 2,
};
const WORKSPACE = '01900000-0000-7000-8000-000000000001';

describe('parley actions', () => {
  it('says that a document is right, with the files beside it', async () => {
    await using gateway = await startFakeGateway({
      'POST /admin/v1/actions/validate': { body: { slug: 'open-ticket', valid: true, findings: [] } },
    });
    const { code, stdout } = await runCli(gateway.url, ['actions', 'validate', TICKET]);
    expect([code, stdout]).toEqual([0, `${TICKET} is right: action open-ticket.\n`]);
    expect(gateway.seen[0]?.body).toMatchObject({
      document: { arazzo: '1.0.1', 'x-parley-slug': 'open-ticket' },
      sources: { tickets: { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:9090' }] } },
    });
  });

  it('says every finding, and fails', async () => {
    const findings = [
      { path: '/info', message: "'version' is missing here." },
      { path: '', message: 'It is too much.' },
    ];
    await using gateway = await startFakeGateway({ 'POST /admin/v1/actions/validate': { body: { slug: null, valid: false, findings } } });
    const { code, stdout, stderr } = await runCli(gateway.url, ['actions', 'validate', example('speak-text.arazzo.yaml')]);
    expect([code, stdout]).toEqual([1, "/info: 'version' is missing here.\nIt is too much.\n"]);
    expect(stderr).toContain('has 2 findings');
    expect(gateway.seen[0]?.body).toMatchObject({ sources: {} });
  });

  it('publishes, with an API that is called elsewhere', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/actions': { body: ACTION } });
    const { stdout } = await runCli(gateway.url, ['actions', 'publish', TICKET, '--server', 'tickets=https://tickets.example/api?x=1']);
    expect(stdout).toBe('Published open-ticket, version 2.\n');
    expect(gateway.seen[0]?.body).toMatchObject({ sources: { tickets: { servers: [{ url: 'https://tickets.example/api?x=1' }] } } });
  });

  it('lists, disables and enables', async () => {
    await using gateway = await startFakeGateway({
      'GET /admin/v1/actions': { body: [ACTION] },
      'PATCH /admin/v1/actions/open-ticket': { body: { ...ACTION, status: 'disabled' } },
    });
    expect((await runCli(gateway.url, ['actions', 'list'])).stdout).toMatch(/open-ticket +2 +active +write +2 +Open a ticket\n/);
    expect((await runCli(gateway.url, ['actions', 'disable', 'open-ticket'])).stdout).toBe('Action open-ticket is disabled.\n');
    await runCli(gateway.url, ['actions', 'enable', 'open-ticket']);
    expect(gateway.seen.slice(-2).map(({ body }) => body)).toEqual([{ enabled: false }, { enabled: true }]);
  });

  const COHORT = {
    'GET /admin/v1/workspaces': { body: [workspaceRecord({ id: WORKSPACE, name: 'default' })] },
    'GET /admin/v1/action-cohort': { body: { workspace_ids: [WORKSPACE] } },
    [`PUT /admin/v1/action-cohort/${WORKSPACE}`]: { status: 204 },
    [`DELETE /admin/v1/action-cohort/${WORKSPACE}`]: { status: 204 },
  };

  it('keeps the cohort, of workspaces by name or id', async () => {
    await using gateway = await startFakeGateway(COHORT);
    expect((await runCli(gateway.url, ['actions', 'cohort', 'add', WORKSPACE])).stdout).toBe('Workspace default takes part.\n');
    expect((await runCli(gateway.url, ['actions', 'cohort', 'list'])).stdout).toMatch(new RegExp(`^default +${WORKSPACE}$`, 'm'));
    expect((await runCli(gateway.url, ['actions', 'cohort', 'remove', 'default'])).stdout).toBe(
      'Workspace default no longer takes part.\n',
    );
  });

  it('takes the only workspace for the cohort, and none of several', async () => {
    await using gateway = await startFakeGateway(COHORT);
    expect((await runCli(gateway.url, ['actions', 'cohort', 'add'])).stdout).toBe('Workspace default takes part.\n');
    const several = { body: [workspaceRecord(), workspaceRecord({ id: 'w2', name: 'other' })] };
    await using crowded = await startFakeGateway({ 'GET /admin/v1/workspaces': several });
    expect((await runCli(crowded.url, ['actions', 'cohort', 'add'])).stderr).toMatch(/there are several workspaces; give the name or id/);
  });

  it.each([
    [['validate', '/nowhere/x.yaml'], /cannot be read \(ENOENT\)/],
    [['validate', fileURLToPath(import.meta.url)], /neither YAML nor JSON|holds no object/],
    [['publish', TICKET, '--server', 'x'], /looks like <name>=<url>/],
  ])('%j is called wrongly', async (args, message) => {
    await using gateway = await startFakeGateway({});
    const { code, stderr } = await runCli(gateway.url, ['actions', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
