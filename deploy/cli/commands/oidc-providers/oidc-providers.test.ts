import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { oidcProviderRecord, workspaceRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const LAB = workspaceRecord({ id: '0190a000-0000-7000-8000-0000000000b2', name: 'Lab @ home' });
const COMPANY = oidcProviderRecord();
const PATH = '/admin/v1/oidc-providers';
const ONE = `${PATH}/${COMPANY.id}`;
const LISTS = { [`GET ${PATH}`]: { body: [COMPANY] }, 'GET /admin/v1/workspaces': { body: [LAB] } };
const ADD = ['oidc-providers', 'add', 'company', '--issuer', COMPANY.issuer, '--client-id', 'parley'];

describe('parley oidc-providers', () => {
  it('lists providers, and who has set them', async () => {
    const other = oidcProviderRecord({ slug: 'google', status: 'disabled', allow_sign_up: false, is_from_environment: true });
    await using gateway = await startFakeGateway({ [`GET ${PATH}`]: { body: [COMPANY, other] } });
    const { stdout } = await runCli(gateway.url, ['oidc-providers', 'list']);
    expect(stdout).toMatch(/company +Company +active +https:\/\/login\.example\.com +parley +yes +control plane\n/);
    expect(stdout).toMatch(/google +Company +disabled +\S+ +parley +no +environment\n/);
  });

  it.each([
    [[], { name: 'company' }],
    [
      ['--name', 'Company', '--client-secret-stdin', '--scopes', 'email,groups', '--group-claim', 'groups', '--allow-sign-up'],
      { name: 'Company', client_secret: 's3cret', scopes: ['email', 'groups'], group_claim: 'groups', allow_sign_up: true },
    ],
    [
      [
        '--client-secret-env',
        'OIDC_SECRET',
        '--allowed-domains',
        'a.example,b.example',
        '--map',
        'a=b=admin@Lab @ home',
        '--map-instance',
        'root=owner',
      ],
      {
        ...{ name: 'company', client_secret: 'from the environment', allowed_domains: ['a.example', 'b.example'] },
        role_mappings: [
          { group: 'a=b', workspace_id: LAB.id, workspace_role: 'admin' },
          { group: 'root', instance_role: 'owner' },
        ],
      },
    ],
  ])('adds one with %j', async (options, body) => {
    await using gateway = await startFakeGateway({ ...LISTS, [`POST ${PATH}`]: { status: 201, body: COMPANY } });
    const given = { stdin: 's3cret\n', env: { OIDC_SECRET: 'from the environment' } };
    const { code, stdout, stderr } = await runCli(gateway.url, [...ADD, ...options], given);
    expect([code, stderr]).toEqual([0, '']);
    expect(gateway.seen.at(-1)?.body).toEqual({ slug: 'company', issuer: COMPANY.issuer, client_id: 'parley', ...body });
    expect(stdout).toMatch(/Added +company\n[^]*Mapping +staff: member in 0190a000[^]*Sign-up +example\.com\n/);
  });

  it.each([
    [['--disable'], { status: 'disabled' }],
    [['--enable', '--no-allow-sign-up', '--public'], { status: 'active', allow_sign_up: false, client_secret: null }],
    [
      ['--map', 'none', '--group-claim', 'none', '--allowed-domains', 'none'],
      { role_mappings: [], group_claim: null, allowed_domains: [] },
    ],
    [['--name', 'Login', '--client-id', 'p2'], { name: 'Login', client_id: 'p2' }],
  ])('changes with %j only what is named', async (options, body) => {
    await using gateway = await startFakeGateway({ ...LISTS, [`PATCH ${ONE}`]: { body: COMPANY } });
    const { code } = await runCli(gateway.url, ['oidc-providers', 'update', 'company', ...options]);
    expect([code, gateway.seen.at(-1)?.body]).toEqual([0, body]);
  });

  it.each([
    [[], 'give at least one option'],
    [['--enable', '--disable'], 'give either --enable or --disable'],
    [['--public', '--client-secret-stdin'], 'give either --public or a client secret'],
    [['--client-secret-stdin', '--client-secret-env', 'X'], 'give one client secret, from standard input or from the environment'],
    [['--map', 'staff=member'], /must be group=role@workspace/],
    [['--map-instance', 'staff=member'], /must be group=role, where the role is owner, admin or auditor/],
  ])('changes nothing with %j', async (options, reason) => {
    await using gateway = await startFakeGateway(LISTS);
    const { code, stderr } = await runCli(gateway.url, ['oidc-providers', 'update', 'company', ...options]);
    expect([code, stderr]).toEqual([2, typeof reason === 'string' ? `parley: ${reason}\n` : expect.stringMatching(reason)]);
    expect(gateway.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    [{ ok: true, code: null, message: 'fine', keys: 2 }, 0, 'company works; it publishes 2 keys.\n'],
    [{ ok: false, code: 'OIDC_UNAVAILABLE', message: 'no answer', keys: 0 }, 1, 'company does not work: no answer [OIDC_UNAVAILABLE]\n'],
  ])('tests one: %j', async (body, code, stdout) => {
    await using gateway = await startFakeGateway({ ...LISTS, [`POST ${ONE}/test`]: { body } });
    expect(await runCli(gateway.url, ['oidc-providers', 'test', COMPANY.id])).toMatchObject({ code, stdout });
  });

  it('removes one, and says which is not known', async () => {
    await using gateway = await startFakeGateway({ ...LISTS, [`DELETE ${ONE}`]: { status: 204 } });
    expect((await runCli(gateway.url, ['oidc-providers', 'remove', 'company'])).stdout).toBe('Removed company.\n');
    const { code, stderr } = await runCli(gateway.url, ['oidc-providers', 'remove', 'other']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no provider has the slug or id "other"; see: parley oidc-providers list/)]);
  });
});
