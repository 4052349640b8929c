import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@parley/kit/testing/database';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { request } from 'node:http';
import { startEdgeServer } from '../src/server.ts';
import { captureLog, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { operatorToken } from './operator.ts';
import { cookieOf, operate, PASSWORD, type SessionBody, sql, tally, tokenOf, visit } from './visitors.ts';

interface Link {
  url: string;
  expires_at: string;
}

const owner = (token: string, email = 'owner@example.com') => ({ token, email, display_name: 'Grace', password: PASSWORD });

describe('the first owner', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await sql(fixture, 'DELETE FROM edge.users WHERE instance_role IS NOT NULL');
  });

  const makeLink = async () => (await operate<Link>(fixture, 'POST', '/admin/v1/setup-links')).body;
  const setUp = (body: object) => visit<SessionBody & ErrorBody>(fixture, 'POST', '/me/v1/setup', body);
  const isOpen = async () => (await visit<{ setup_open: boolean }>(fixture, 'GET', '/me/v1/sign-in')).body.setup_open;

  it('is made by a link, once, and owns the default workspace', async () => {
    const link = await makeLink();
    expect(link.url).toMatch(new RegExp(`^${fixture.edge.url}/console/setup#[\\w-]{43}$`));
    expect(await isOpen()).toBe(true);
    const token = tokenOf(link.url);
    const made = await setUp(owner(token));
    expect([made.status, cookieOf(made)]).toEqual([200, expect.stringMatching(/^parley_session=/)]);
    const rights = { instance_role: 'owner', memberships: [{ workspace_id: DEFAULT_WORKSPACE_ID, role: 'owner' }] };
    expect(made.body).toMatchObject({ user: { email: 'owner@example.com', display_name: 'Grace' }, method: 'setup', rights });
    expect(await isOpen()).toBe(false);
    expect(tally([await setUp(owner(token)), await operate(fixture, 'POST', '/admin/v1/setup-links')])).toEqual({
      '410 LINK_NOT_VALID': 2,
    });
    const signedIn = await visit(fixture, 'POST', '/me/v1/sign-in', { email: 'owner@example.com', password: PASSWORD });
    expect(signedIn.status).toBe(200);
  });

  it('is one person, however many use the link at once', async () => {
    const token = tokenOf((await makeLink()).url);
    const uses = await Promise.all(Array.from({ length: 50 }, (_, at) => setUp(owner(token, `owner${at}@example.com`))));
    const { '200': made, '410 LINK_NOT_VALID': late = 0, '503 SERVICE_UNAVAILABLE': busy = 0 } = tally(uses);
    expect([made, late + busy]).toEqual([1, 49]);
    expect(await sql(fixture, `SELECT count(*)::int FROM edge.users WHERE instance_role = 'owner'`)).toEqual([{ count: 1 }]);
  });

  it('is made by the newest link only, and by none that has expired', async () => {
    const [old, expired] = [tokenOf((await makeLink()).url), tokenOf((await makeLink()).url)];
    await sql(fixture, `UPDATE edge.one_time_tokens SET expires_at = now() WHERE used_at IS NULL`);
    const refused = [await setUp(owner(old)), await setUp(owner(expired)), await setUp(owner('x'.repeat(43)))];
    expect(tally(refused)).toEqual({ '410 LINK_NOT_VALID': 3 });
    expect(new Set(refused.map(({ body }) => body.error.message)).size).toBe(1);
  });

  it('can try again after a bad password or an email that is taken', async () => {
    const token = tokenOf((await makeLink()).url);
    await operate(fixture, 'POST', '/admin/v1/users', { display_name: 'Taken', email: 'taken@example.com' });
    expect(tally([await setUp({ ...owner(token), password: 'password1234' }), await setUp(owner(token, 'taken@example.com'))])).toEqual({
      '422 VALIDATION_ERROR': 1,
      '409 EMAIL_TAKEN': 1,
    });
    expect((await setUp(owner(token))).status).toBe(200);
  });

  it('has a link that no Host header can lead elsewhere', async () => {
    const { hostname, port } = new URL(fixture.edge.url);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', authorization: `Bearer ${await operatorToken(fixture)}` };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request({ hostname, port, method: 'POST', path: '/admin/v1/setup-links', headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => resolve(body));
      });
      sent.on('error', reject).end();
    });
    expect((JSON.parse(text) as Link).url).toMatch(new RegExp(`^${fixture.edge.url}/console/setup#`));
  });

  it('cannot be done with a key of a workspace or without a link', async () => {
    const answers = [
      await visit(fixture, 'POST', '/admin/v1/setup-links'),
      await visit(fixture, 'POST', '/me/v1/setup', { email: 'a@example.com', display_name: 'A', password: PASSWORD }),
    ];
    expect(tally(answers)).toEqual({ '401 INVALID_ADMIN_TOKEN': 1, '422 VALIDATION_ERROR': 1 });
  });

  it('leaves no password and no token in the log, in errors, in the audit log and in the database', async () => {
    const token = tokenOf((await makeLink()).url);
    const made = await setUp(owner(token));
    const wrong = 'a wrong password of length';
    const { email } = owner(token);
    const cookie = cookieOf(made);
    const answers = [
      await setUp(owner(token)),
      await visit(fixture, 'POST', '/me/v1/sign-in', { email, password: wrong }),
      await visit(
        fixture,
        'POST',
        '/me/v1/password',
        { old_password: wrong, new_password: PASSWORD },
        {
          ...{ cookie, 'x-csrf-token': made.body.csrf_token },
        },
      ),
    ];
    const tables = ['users', 'sessions', 'one_time_tokens', 'sign_in_failures', 'invitations', 'audit_log'];
    const dumped = await Promise.all(tables.map((table) => sql(fixture, `SELECT to_jsonb(t) FROM edge.${table} t`)));
    const written = JSON.stringify([answers, fixture.lines, dumped]);
    expect(written).toContain(made.body.id);
    for (const secret of [token, PASSWORD, wrong, cookie.split('=')[1] ?? '', made.body.csrf_token]) expect(written).not.toContain(secret);
  });
});

describe('the owner that the environment names', () => {
  const initAdmin = { email: 'root@example.com', password: PASSWORD };
  const who = { email: initAdmin.email, password: PASSWORD };

  it('is made once by any number of edges, and is not changed by later starts', async () => {
    const database = await createTestDatabase();
    const edges = await Promise.all([0, 1].map(() => startFixture({ databaseUrl: database.url, initAdmin })));
    const [first] = edges;
    expect(first && (await visit<SessionBody>(first, 'POST', '/me/v1/sign-in', who)).body.rights.instance_role).toBe('owner');
    expect(first && (await operate(first, 'POST', '/admin/v1/setup-links')).status).toBe(410);
    expect(JSON.stringify(edges.map(({ lines }) => lines))).not.toContain(PASSWORD);
    const later = { email: 'other@example.com', password: 'eight brown garden chairs' };
    const last = await startFixture({ databaseUrl: database.url, initAdmin: later });
    expect((await visit(last, 'POST', '/me/v1/sign-in', later)).status).toBe(401);
    for (const edge of [...edges, last]) await edge[Symbol.asyncDispose]();
    await database.drop();
  });

  it('needs a good password, and the message does not repeat it', async () => {
    await using fixture = await startFixture();
    const config = { ...fixture.config, initAdmin: { ...initAdmin, password: 'password1234' } };
    const bad = startEdgeServer(config, { log: captureLog().log });
    await expect(bad).rejects.toThrow(/^PARLEY_INIT_ADMIN_PASSWORD: the password is one of the commonest$/);
  });
});
