import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@parley/kit/testing/database';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import pg from 'pg';
import { readOidcProviders } from '../src/config/oidc.ts';
import { startEvilProvider } from './evil-provider.ts';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { operate, operatorToken } from './operator.ts';

interface Provider {
  id: string;
  slug: string;
  issuer: string;
  status: string;
  has_client_secret: boolean;
  is_from_environment: boolean;
}

const NEW = { name: 'Company', issuer: 'https://login.example.com', client_id: 'parley', client_secret: 'geheim-for-tests' };

const refuse = async (fixture: TestFixture, method: string, path: string, body?: unknown) => {
  const answer = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, { method, key: await operatorToken(fixture), body });
  return [answer.status, answer.body.error.code, answer.body.error.param];
};
const list = (fixture: TestFixture) => operate<Provider[]>(fixture, 'GET', 'oidc-providers');

describe('OpenID Connect providers of the API', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  it('are added, changed and deleted, and their secret is never shown', async () => {
    const added = await operate<Provider>(fixture, 'POST', 'oidc-providers', { slug: 'company', ...NEW }, 201);
    expect(added).toMatchObject({ slug: 'company', status: 'active', has_client_secret: true, is_from_environment: false });
    const changed = await operate<Provider>(fixture, 'PATCH', `oidc-providers/${added.id}`, {
      client_secret: null,
      allowed_domains: ['A.example'],
    });
    expect(changed).toMatchObject({ has_client_secret: false, allowed_domains: ['a.example'], issuer: NEW.issuer });
    await operate(fixture, 'PATCH', `oidc-providers/${added.id}`, { client_secret: NEW.client_secret });
    expect(JSON.stringify([added, changed, await list(fixture), fixture.lines])).not.toContain(NEW.client_secret);
    const client = new pg.Client({ connectionString: fixture.config.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ row: string }>('SELECT row_to_json(a)::text AS row FROM edge.audit_log a');
    await client.end();
    expect(rows.filter(({ row }) => row.includes('oidc_provider.'))).toHaveLength(3);
    expect(rows.filter(({ row }) => row.includes(NEW.client_secret))).toEqual([]);
    await operate(fixture, 'DELETE', `oidc-providers/${added.id}`, undefined, 204);
    expect(await list(fixture)).toEqual([]);
    expect(await refuse(fixture, 'DELETE', `oidc-providers/${added.id}`)).toEqual([404, 'not_found', 'id']);
  });

  it.each([
    ['plain http', { issuer: 'http://login.example.com' }, 'issuer'],
    ['credentials in the issuer', { issuer: 'https://u:p@login.example.com' }, 'issuer'],
    ['a slug that is a path', { slug: '../x' }, 'slug'],
    ['half a mapping', { role_mappings: [{ group: 'a', workspace_role: 'member' }] }, 'role_mappings.0.workspace_role'],
    ['a mapping to nothing', { role_mappings: [{ group: 'a' }] }, 'role_mappings.0.instance_role'],
    ['an unknown role', { role_mappings: [{ group: 'a', instance_role: 'root' }] }, 'role_mappings.0.instance_role'],
    [
      'an unknown workspace',
      { role_mappings: [{ group: 'a', workspace_id: '01a2b3c4-1f08-7d4c-8e9f-6a5b1c3d7e18', workspace_role: 'member' }] },
      'role_mappings.0.workspace_id',
    ],
    ['a domain that is none', { allowed_domains: ['@x'] }, 'allowed_domains.0'],
  ])('are refused with %s', async (_what, fields, param) => {
    expect(await refuse(fixture, 'POST', 'oidc-providers', { slug: 'bad', ...NEW, ...fields })).toEqual([422, 'VALIDATION_ERROR', param]);
  });

  it('have a slug and an issuer of their own, and keep both', async () => {
    const { id } = await operate<Provider>(fixture, 'POST', 'oidc-providers', { slug: 'first', ...NEW }, 201);
    expect(await refuse(fixture, 'POST', 'oidc-providers', { ...NEW, slug: 'second' })).toEqual([422, 'VALIDATION_ERROR', 'issuer']);
    const other = { ...NEW, slug: 'first', issuer: 'https://other.example.com' };
    expect(await refuse(fixture, 'POST', 'oidc-providers', other)).toEqual([422, 'VALIDATION_ERROR', 'slug']);
    expect(await refuse(fixture, 'PATCH', `oidc-providers/${id}`, { issuer: 'https://evil.example', slug: 'x' })).toEqual([
      422,
      'VALIDATION_ERROR',
      'body',
    ]);
    const mass = { name: 'Renamed', issuer: 'https://evil.example', is_from_environment: true };
    expect(await operate(fixture, 'PATCH', `oidc-providers/${id}`, mass)).toMatchObject({ issuer: NEW.issuer, is_from_environment: false });
  });
});

describe('OpenID Connect providers of the environment', () => {
  it('are in use as long as it names them, keep their people, and are not changed by the API', async () => {
    await using database = await disposable();
    await using provider = await startEvilProvider();
    const env = {
      PARLEY_OIDC_COMPANY_ISSUER: provider.issuer,
      PARLEY_OIDC_COMPANY_CLIENT_ID: 'parley',
      PARLEY_OIDC_COMPANY_CLIENT_SECRET: 'geheim-for-tests',
      PARLEY_OIDC_COMPANY_ROLE_MAPPINGS: `[{"group": "a", "workspace_id": "${DEFAULT_WORKSPACE_ID}", "workspace_role": "viewer"}]`,
    };
    const start = (given: Record<string, string>) => startFixture({ databaseUrl: database.url, oidcProviders: readOidcProviders(given) });
    const begin = (fixture: TestFixture) =>
      fetch(`${fixture.edge.url}/me/v1/sign-in/oidc/company`, { redirect: 'manual' }).then(({ status }) => status);

    const ids: (string | undefined)[] = [];
    for (const given of [env, {}, { ...env, PARLEY_OIDC_COMPANY_NAME: 'Renamed' }]) {
      await using fixture = await start(given);
      const [found, ...others] = await list(fixture);
      expect(others).toEqual([]);
      ids.push(found?.id);
      expect(await begin(fixture)).toBe(found ? 302 : 404);
      if (!found) continue;
      expect(found).toMatchObject({ slug: 'company', has_client_secret: true, is_from_environment: true });
      for (const method of ['PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { name: 'x' } : undefined;
        expect(await refuse(fixture, method, `oidc-providers/${found.id}`, body)).toEqual([422, 'VALIDATION_ERROR', 'id']);
      }
      expect(await operate(fixture, 'POST', `oidc-providers/${found.id}/test`)).toMatchObject({ ok: true, keys: 1 });
    }
    expect(ids).toEqual([expect.any(String), undefined, ids[0]]);

    await using fixture = await start({});
    const taken = { ...NEW, slug: 'mine', issuer: provider.issuer };
    expect(await operate(fixture, 'POST', 'oidc-providers', taken, 201)).toMatchObject({ slug: 'mine', is_from_environment: false });
    await expect(start(env)).rejects.toThrow('PARLEY_OIDC_COMPANY_ISSUER: another provider has this issuer');
  });
});

async function disposable() {
  const database = await createTestDatabase();
  return { url: database.url, [Symbol.asyncDispose]: () => database.drop() };
}
