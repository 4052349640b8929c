import { describe, expect, it } from '@jest/globals';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { userRecord, workspaceRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const ADA = userRecord();
const LINK = { url: 'http://127.0.0.1:8080/console/reset#token', expires_at: '2026-03-02T12:00:00.000Z' };
const INVITE = 'POST /admin/v1/invitations';
const LAB = workspaceRecord({ id: '0190a000-0000-7000-8000-0000000000b2', name: 'Lab' });

describe('parley users', () => {
  it('lists people with what they may and when they came', async () => {
    const other = userRecord({
      display_name: 'Robot',
      email: null,
      status: 'disabled',
      instance_role: 'admin',
      requires_second_factor: true,
    });
    await using gateway = await startFakeGateway({ 'GET /admin/v1/users': { body: [ADA, other] } });
    const { stdout } = await runCli(gateway.url, ['users', 'list']);
    expect(stdout).toMatch(/Ada +ada@example\.com +active +- +- +never\n/);
    expect(stdout).toMatch(/Robot +- +disabled +admin +demanded +never\n/);
  });

  it.each([
    [[], { workspace_id: DEFAULT_WORKSPACE_ID, workspace_role: 'member' }],
    [['--workspace', 'Lab', '--role', 'admin'], { workspace_id: LAB.id, workspace_role: 'admin' }],
    [['--instance-role', 'auditor'], { instance_role: 'auditor' }],
    [
      ['--instance-role', 'admin', '--role', 'owner'],
      { instance_role: 'admin', workspace_id: DEFAULT_WORKSPACE_ID, workspace_role: 'owner' },
    ],
  ])('invites with %j', async (options, roles) => {
    const created = { id: ADA.id, email: 'ada@example.com', ...LINK };
    await using gateway = await startFakeGateway({ [INVITE]: { status: 201, body: created }, 'GET /admin/v1/workspaces': { body: [LAB] } });
    const { code, stdout } = await runCli(gateway.url, ['users', 'invite', 'ada@example.com', ...options]);
    expect([code, stdout]).toEqual([
      0,
      `Give this link to ada@example.com; it is shown only now and ends ${LINK.expires_at}:\n${LINK.url}\n`,
    ]);
    expect(gateway.seen.at(-1)?.body).toEqual({ email: 'ada@example.com', ...roles });
  });

  it('makes the link for the first owner', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/setup-links': { status: 201, body: LINK } });
    const { stdout } = await runCli(gateway.url, ['users', 'setup-link']);
    expect(stdout).toBe(`Open this link to become the first owner; it is shown only now and ends ${LINK.expires_at}:\n${LINK.url}\n`);
  });

  it.each([['ada@example.com'], ['ADA@example.com'], [ADA.id]])('makes a link to set a password for %s', async (name) => {
    const path = `POST /admin/v1/users/${ADA.id}/reset-link`;
    await using gateway = await startFakeGateway({ 'GET /admin/v1/users': { body: [ADA] }, [path]: { status: 201, body: LINK } });
    expect((await runCli(gateway.url, ['users', 'reset-link', name, '--json'])).stdout).toContain(LINK.url);
  });

  it('says who is not known', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/users': { body: [ADA] } });
    const { code, stderr } = await runCli(gateway.url, ['users', 'reset-link', 'eve@example.com']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no person has the email or id "eve@example.com"; see: parley users list/)]);
  });
});
