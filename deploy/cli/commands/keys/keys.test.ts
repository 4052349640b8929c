import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { keyRecord } from '../../testing/records.ts';
import { runCli } from '../../testing/run-cli.ts';

const CREATED = {
  id: 'k1',
  name: 'ci',
  prefix: 'gmk_live_abcd',
  scopes: ['chat', 'audio'],
  expires_at: '2026-05-30T12:00:00.000Z',
  created_at: '2026-03-01T12:00:00.000Z',
  key: 'gmk_live_abcdefgh',
};

describe('parley keys list', () => {
  it('shows whether a key can be used', async () => {
    const keys = [
      keyRecord({ name: 'living', last_used_at: '2026-03-01T11:55:00.000Z' }),
      keyRecord({ name: 'late', expires_at: '2026-02-01T00:00:00.000Z' }),
      keyRecord({ name: 'gone', revoked_at: '2026-02-01T00:00:00.000Z' }),
    ];
    await using gateway = await startFakeGateway({ 'GET /admin/v1/keys': { body: keys } });
    const { stdout } = await runCli(gateway.url, ['keys', 'list']);
    expect(stdout).toMatch(/living .* active +never +5m ago\n/);
    expect(stdout).toMatch(/late .* expired +2026-02-01 +never\n/);
    expect(stdout).toMatch(/gone .* revoked +never +never\n/);
  });

  it('reads every page, by the link to the next', async () => {
    const page = (count: number) => Array.from({ length: count }, (_, index) => keyRecord({ id: `${count}-${index}` }));
    await using gateway = await startFakeGateway({
      'GET /admin/v1/keys': ({ path }) =>
        path.includes('cursor=abc')
          ? { body: page(3) }
          : { body: page(200), headers: { link: '<https://elsewhere.example.com/admin/v1/keys?limit=200&cursor=abc>; rel="next"' } },
    });
    const { stdout } = await runCli(gateway.url, ['keys', 'list', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(203);
    expect(gateway.seen.map(({ path }) => path)).toEqual(['/admin/v1/keys?limit=200&cursor=', '/admin/v1/keys?limit=200&cursor=abc']);
  });

  it('asks the gateway for what is looked for', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/keys': { body: [] } });
    await runCli(gateway.url, ['keys', 'list', '--search', '50%', '--user', 'u1', '--status', 'expired', '--sort', '-last_used_at']);
    expect(Object.fromEntries(new URL(gateway.seen[0]?.path ?? '', gateway.url).searchParams)).toEqual({
      ...{ search: '50%', user_id: 'u1', status: 'expired', sort: '-last_used_at' },
      ...{ limit: '200', cursor: '' },
    });
  });

  it('prints no control characters of a name', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/keys': { body: [keyRecord({ name: 'a\u001b[2Jb' })] } });
    expect((await runCli(gateway.url, ['keys', 'list'])).stdout).toContain('a?[2Jb');
  });
});

describe('parley keys create', () => {
  it('prints the key once', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/keys': { status: 201, body: CREATED } });
    const { stdout } = await runCli(gateway.url, ['keys', 'create', '--name', 'ci', '--scopes', 'chat, audio', '--expires-in', '90d']);
    expect(stdout.split('gmk_live_abcdefgh')).toHaveLength(2);
    expect(gateway.seen[0]?.body).toEqual({ name: 'ci', scopes: ['chat', 'audio'], expires_at: '2026-05-30T12:00:00.000Z' });
  });

  it('leaves to the gateway what was not said', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/keys': { status: 201, body: CREATED } });
    await runCli(gateway.url, ['keys', 'create', '--name', 'ci']);
    expect(gateway.seen[0]?.body).toEqual({ name: 'ci' });
  });

  it('binds the key to an internal project', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/keys': { status: 201, body: CREATED } });
    await runCli(gateway.url, ['keys', 'create', '--name', 'ci', '--project', 'team-a']);
    expect(gateway.seen[0]?.body).toEqual({ name: 'ci', project: 'team-a' });
  });

  it('gives the key quotas', async () => {
    await using gateway = await startFakeGateway({ 'POST /admin/v1/keys': { status: 201, body: CREATED } });
    await runCli(gateway.url, ['keys', 'create', '--name', 'ci', '--quota-tokens', '9 per 1 day', '--quota-audio-seconds', 'unlimited']);
    expect(gateway.seen[0]?.body).toEqual({ name: 'ci', quotas: { tokens: '9 per 1 day', audio_seconds: 'unlimited' } });
  });

  it.each(['90', '0d', 'soon'])('refuses the duration %j', async (duration) => {
    const { code, stderr } = await runCli('http://127.0.0.1:1', ['keys', 'create', '--name', 'ci', '--expires-in', duration]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/give a duration such as 90d, 12h or 30m\.\n$/);
  });
});

describe('parley keys update', () => {
  it('sets quotas of the key whose prefix is given', async () => {
    const key = keyRecord({ quotas: { requests: '9 per 1 day', tokens: null, audio_seconds: null } });
    await using gateway = await startFakeGateway({
      'GET /admin/v1/keys': { body: [keyRecord()] },
      [`PATCH /admin/v1/keys/${key.id}`]: { body: key },
    });
    const args = ['keys', 'update', 'gmk_live_abcd', '--quota-requests', '9 per 1 day', '--quota-tokens', 'default'];
    expect(await runCli(gateway.url, args)).toEqual({
      code: 0,
      stdout: 'gmk_live_abcd (bootstrap): requests 9 per 1 day, tokens default, audio seconds default.\n',
      stderr: '',
    });
    expect(gateway.seen[1]?.body).toEqual({ quotas: { requests: '9 per 1 day', tokens: null } });
  });

  it('changes nothing when nothing is said', async () => {
    expect((await runCli('http://127.0.0.1:1', ['keys', 'update', 'gmk_live_abcd'])).code).toBe(2);
  });
});

describe('parley keys revoke', () => {
  it('takes the prefix that the list shows', async () => {
    const key = keyRecord({ revoked_at: '2026-03-01T12:00:00.000Z' });
    await using gateway = await startFakeGateway({
      'GET /admin/v1/keys': { body: [keyRecord()] },
      [`DELETE /admin/v1/keys/${key.id}`]: { body: key },
    });
    expect(await runCli(gateway.url, ['keys', 'revoke', 'gmk_live_abcd'])).toEqual({
      code: 0,
      stdout: 'Revoked gmk_live_abcd (bootstrap).\n',
      stderr: '',
    });
  });

  it('revokes none of two with the same prefix', async () => {
    await using gateway = await startFakeGateway({ 'GET /admin/v1/keys': { body: [keyRecord(), keyRecord({ id: 'other' })] } });
    const { code, stderr } = await runCli(gateway.url, ['keys', 'revoke', 'gmk_live_abcd']);
    expect(code).toBe(1);
    expect(stderr).toBe('parley: 2 keys begin with "gmk_live_abcd"; give the id\n');
    expect(gateway.seen).toHaveLength(1);
  });
});
