import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SecretBox } from '@parley/kit/secrets/secret-box';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import pg from 'pg';
import { call, type ErrorBody, OPERATOR_KEY, startFixture, type TestFixture } from './harness.ts';
import { type AdminToken, createKey, exchange, operate } from './operator.ts';
import { type PersonFacts, type SignedIn, signInAs } from './people.ts';

interface Account {
  id: string;
  client_secret: string;
}

let first: TestFixture;
let second: TestFixture;
beforeAll(async () => {
  first = await startFixture();
  second = await startFixture({ databaseUrl: first.config.databaseUrl }, { cacheTimes: { maxAgeMs: 3_600_000, refreshMs: 3_600_000 } });
  // A connection to the broker empties the caches, so it has to be there first.
  for (const { edge } of [first, second]) {
    await waitFor(async () => (await call<{ checks: { broker: { ok: boolean } } }>(`${edge.url}/readyz`)).body.checks.broker.ok);
  }
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});

async function sql<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: first.config.databaseUrl, options: '-c search_path=edge' });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Asks with a token; the status and the code of a refusal. */
async function ask(token: string, method: string, path: string, body?: unknown, fixture = first) {
  const answer = await call<ErrorBody>(`${fixture.edge.url}/admin/v1/${path}`, { method, key: token, ...(body !== undefined && { body }) });
  return { ...answer, code: answer.status < 400 ? '' : answer.body.error.code };
}

async function tokenOf(person: SignedIn): Promise<string> {
  const { status, body } = await person.call<AdminToken>('POST', '/me/v1/admin-token');
  expect(status).toBe(200);
  return body.access_token;
}

/** A person with a token. */
async function withToken(facts: PersonFacts): Promise<SignedIn & { token: string }> {
  const person = await signInAs(first, facts);
  return { ...person, token: await tokenOf(person) };
}

const newWorkspace = async () => (await operate<{ id: string }>(first, 'POST', 'workspaces', { name: 'Lab' }, 201)).id;
const newAccount = (body: object) => operate<Account>(first, 'POST', 'service-accounts', { name: 'ci', ...body }, 201);
const exchanged = async ({ id, client_secret }: Account) => (await exchange(first, { client_id: id, client_secret })).access_token;

describe('a token of the control plane', () => {
  it('is had for the operator key, a service account and a session, and opens what their roles do', async () => {
    const operator = (await exchange(first, { operator_key: OPERATOR_KEY })).access_token;
    const auditor = await exchanged(await newAccount({ instance_role: 'auditor' }));
    const { token: member } = await withToken({ roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
    expect((await ask(operator, 'GET', 'keys')).status).toBe(200);
    expect((await ask(auditor, 'GET', 'keys')).status).toBe(200);
    expect((await ask(auditor, 'POST', 'workspaces', { name: 'x' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(member, 'GET', 'connections')).status).toBe(200);
    expect((await ask(member, 'GET', 'keys')).code).toBe('PERMISSION_DENIED');
  });

  it('is verified by the published keys, and works at every edge', async () => {
    const { access_token, token_type, expires_in } = await exchange(first, { operator_key: OPERATOR_KEY });
    expect(token_type).toBe('Bearer');
    // Whole seconds that are left when it is answered.
    expect(expires_in).toBeGreaterThan(500);
    expect(expires_in).toBeLessThanOrEqual(600);
    const { kid } = JSON.parse(Buffer.from(access_token.split('.', 1)[0] ?? '', 'base64url').toString()) as { kid: string };
    const { body } = await call<{ keys: { kid: string }[] }>(`${second.edge.url}/admin/v1/jwks.json`);
    expect(body.keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid, alg: 'EdDSA', use: 'sig' }]);
    expect((await ask(access_token, 'GET', 'keys', undefined, second)).status).toBe(200);
    expect(await sql('SELECT 1 FROM signing_keys')).toHaveLength(1);
  });

  it.each([
    ['nothing', {}],
    ['half of a service account', { client_id: uuidv7() }],
    ['both', { operator_key: OPERATOR_KEY, client_id: uuidv7(), client_secret: 'x' }],
    ['another grant', { grant_type: 'password', operator_key: OPERATOR_KEY }],
  ])('is not had for %s', async (_name, body) => {
    expect((await call<ErrorBody>(`${first.edge.url}/admin/v1/token`, { method: 'POST', body })).status).toBe(422);
  });

  it('of a session needs its CSRF token', async () => {
    const person = await signInAs(first, { instanceRole: 'owner' });
    const answer = await person.call<ErrorBody>('POST', '/me/v1/admin-token', undefined, { 'x-csrf-token': 'x' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'CSRF_REJECTED']);
  });

  it('ends with the operator key of which it was made', async () => {
    const { access_token } = await exchange(first, { operator_key: OPERATOR_KEY });
    await using changed = await startFixture({ databaseUrl: first.config.databaseUrl, operatorKey: 'another-operator-key' });
    await using without = await startFixture({ databaseUrl: first.config.databaseUrl, operatorKey: undefined });
    for (const fixture of [changed, without])
      expect((await ask(access_token, 'GET', 'keys', undefined, fixture)).code).toBe('INVALID_ADMIN_TOKEN');
  });
});

describe('at another edge, whatever it remembers, a token is refused', () => {
  const refusedElsewhere = async (token: string, code: string) =>
    waitFor(async () => (await ask(token, 'GET', 'workspaces', undefined, second)).code === code);

  async function known(token: string): Promise<string> {
    expect((await ask(token, 'GET', 'workspaces', undefined, second)).status).toBe(200);
    return token;
  }

  it('after the person lost the role', async () => {
    const person = await withToken({ instanceRole: 'admin' });
    await known(person.token);
    await operate(first, 'PATCH', `users/${person.userId}`, { instance_role: null });
    await refusedElsewhere(person.token, 'PERMISSION_DENIED');
  });

  it('after the person was disabled', async () => {
    const person = await withToken({ instanceRole: 'admin' });
    await known(person.token);
    await operate(first, 'PATCH', `users/${person.userId}`, { status: 'disabled' });
    await refusedElsewhere(person.token, 'INVALID_ADMIN_TOKEN');
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['disabled', (id) => operate(first, 'PATCH', `service-accounts/${id}`, { status: 'disabled' })],
    ['given another secret', (id) => operate(first, 'POST', `service-accounts/${id}/rotate-secret`)],
    ['deleted', (id) => operate(first, 'DELETE', `service-accounts/${id}`, undefined, 204)],
  ])('after the service account was %s', async (_name, end) => {
    const account = await newAccount({ instance_role: 'admin' });
    const token = await known(await exchanged(account));
    await end(account.id);
    await refusedElsewhere(token, 'INVALID_ADMIN_TOKEN');
    const again = await call<ErrorBody>(`${second.edge.url}/admin/v1/token`, {
      method: 'POST',
      body: { client_id: account.id, client_secret: account.client_secret },
    });
    expect([again.status, again.body.error.code]).toEqual([401, 'SIGN_IN_FAILED']);
  });

  it('after its session was revoked, and while a second factor is missing', async () => {
    const person = await withToken({ instanceRole: 'admin' });
    await sql('UPDATE sessions SET revoked_at = now() WHERE id = $1', [person.sessionId]);
    expect((await ask(person.token, 'GET', 'workspaces')).code).toBe('INVALID_ADMIN_TOKEN');
    const weak = await withToken({ instanceRole: 'admin' });
    await sql('UPDATE users SET requires_second_factor = true WHERE id = $1', [weak.userId]);
    expect((await ask(weak.token, 'GET', 'workspaces')).code).toBe('SECOND_FACTOR_REQUIRED');
  });
});

describe('rights cannot be exceeded:', () => {
  let workspace: string;
  let admin: SignedIn & { token: string };
  let owner: SignedIn & { token: string };
  beforeAll(async () => {
    workspace = await newWorkspace();
    admin = await withToken({ roles: { [workspace]: 'admin' } });
    owner = await withToken({ roles: { [workspace]: 'owner' } });
  });
  const newKey = (userId: string, fields: object = {}) => ({ name: 'k', workspace_id: workspace, user_id: userId, ...fields });

  it('an admin of a workspace makes keys there, for himself and those below him', async () => {
    const member = await signInAs(first, { roles: { [workspace]: 'member' } });
    for (const userId of [admin.userId, member.userId]) expect((await ask(admin.token, 'POST', 'keys', newKey(userId))).status).toBe(201);
    expect((await ask(owner.token, 'POST', 'keys', newKey(owner.userId))).status).toBe(201);
  });

  it('but not for an owner, a viewer, a stranger or another workspace', async () => {
    const viewer = await signInAs(first, { roles: { [workspace]: 'viewer' } });
    expect((await ask(admin.token, 'POST', 'keys', newKey(owner.userId))).code).toBe('PERMISSION_DENIED');
    expect((await ask(admin.token, 'POST', 'keys', newKey(viewer.userId))).code).toBe('VALIDATION_ERROR');
    expect((await ask(admin.token, 'POST', 'keys', newKey(uuidv7()))).code).toBe('VALIDATION_ERROR');
    expect((await ask(admin.token, 'POST', 'keys', newKey(admin.userId, { workspace_id: DEFAULT_WORKSPACE_ID }))).code).toBe(
      'PERMISSION_DENIED',
    );
    expect((await ask(admin.token, 'POST', 'keys', { name: 'k' })).code).toBe('PERMISSION_DENIED');
  });

  it('keys of other workspaces are neither changed nor distinguished from unknown ones', async () => {
    const { id } = await createKey(first);
    for (const key of [id, uuidv7()]) {
      expect((await ask(admin.token, 'PATCH', `keys/${key}`, { name: 'mine' })).code).toBe('PERMISSION_DENIED');
      expect((await ask(admin.token, 'DELETE', `keys/${key}`)).code).toBe('PERMISSION_DENIED');
      expect((await ask(owner.token, 'GET', `conversations/${uuidv7()}/export?key_id=${key}`)).code).toBe('PERMISSION_DENIED');
    }
    expect((await ask(admin.token, 'GET', 'keys')).code).toBe('PERMISSION_DENIED');
    expect((await ask(admin.token, 'GET', `keys?workspace_id=${workspace}`)).status).toBe(200);
  });

  it('what a workspace may use is not its own admins’ to say', async () => {
    const path = `workspaces/${workspace}`;
    expect((await ask(owner.token, 'PATCH', path, { name: 'Renamed' })).status).toBe(200);
    for (const change of [{ max_concurrency: 9 }, { max_concurrency: null }, { status: 'active' }, { quotas: { requests: 'unlimited' } }]) {
      expect((await ask(owner.token, 'PATCH', path, change)).code).toBe('PERMISSION_DENIED');
    }
    expect((await ask(owner.token, 'PATCH', `workspaces/${DEFAULT_WORKSPACE_ID}`, { name: 'x' })).code).toBe('PERMISSION_DENIED');
  });

  it('roles for the whole gateway are given by owners, and users cannot change their own', async () => {
    const boss = await withToken({ instanceRole: 'owner' });
    const aide = await withToken({ instanceRole: 'admin' });
    expect((await ask(aide.token, 'PATCH', `users/${admin.userId}`, { instance_role: 'auditor' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(aide.token, 'PATCH', `users/${aide.userId}`, { instance_role: 'owner' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(boss.token, 'PATCH', `users/${boss.userId}`, { instance_role: null })).code).toBe('PERMISSION_DENIED');
    for (const change of [{ display_name: 'x' }, { status: 'disabled' }]) {
      expect((await ask(aide.token, 'PATCH', `users/${boss.userId}`, change)).code).toBe('PERMISSION_DENIED');
    }
    expect((await ask(boss.token, 'PATCH', `users/${aide.userId}`, { instance_role: 'auditor' })).status).toBe(200);
  });

  it('the last owner of the gateway stays, also against two at once', async () => {
    await sql("UPDATE users SET instance_role = NULL WHERE instance_role = 'owner'");
    const [one, other] = [await signInAs(first, { instanceRole: 'owner' }), await signInAs(first, { instanceRole: 'owner' })];
    const change = (id: string) =>
      call<ErrorBody>(`${first.edge.url}/admin/v1/users/${id}`, {
        method: 'PATCH',
        key: token,
        body: { instance_role: null },
      });
    const token = (await exchange(first, { operator_key: OPERATOR_KEY })).access_token;
    const answers = await Promise.all([change(one.userId), change(other.userId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('members: an admin changes those below owner, no one themselves, and the last owner stays', async () => {
    const own = await newWorkspace();
    const [lead, aide, member, stranger] = [
      await withToken({ roles: { [own]: 'owner' } }),
      await withToken({ roles: { [own]: 'admin' } }),
      await signInAs(first, { roles: { [own]: 'member' } }),
      await signInAs(first),
    ];
    const path = (userId: string) => `workspaces/${own}/members/${userId}`;
    expect((await ask(aide.token, 'PUT', path(member.userId), { role: 'admin' })).status).toBe(200);
    expect((await ask(aide.token, 'PUT', path(member.userId), { role: 'owner' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(aide.token, 'PUT', path(lead.userId), { role: 'viewer' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(aide.token, 'DELETE', path(lead.userId))).code).toBe('PERMISSION_DENIED');
    expect((await ask(aide.token, 'PUT', path(aide.userId), { role: 'owner' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(aide.token, 'PUT', path(stranger.userId), { role: 'member' })).code).toBe('not_found');
    const operator = (await exchange(first, { operator_key: OPERATOR_KEY })).access_token;
    expect((await ask(operator, 'DELETE', path(lead.userId))).code).toBe('LAST_OWNER');
    expect((await ask(operator, 'PUT', path(stranger.userId), { role: 'owner' })).status).toBe(200);
    expect((await ask(operator, 'DELETE', path(lead.userId))).status).toBe(204);
    expect((await ask(lead.token, 'GET', `workspaces/${own}/members`)).code).toBe('PERMISSION_DENIED');
    const { body } = await ask(aide.token, 'GET', `workspaces/${own}/members`);
    expect(body).toHaveLength(3);
  });

  it('who leaves a workspace leaves without keys', async () => {
    const own = await newWorkspace();
    const person = await signInAs(first, { roles: { [own]: 'member' } });
    const { key } = await createKey(first, { workspace_id: own, user_id: person.userId });
    expect((await call(`${first.edge.url}/v1/models`, { key })).status).toBe(200);
    await operate(first, 'DELETE', `workspaces/${own}/members/${person.userId}`, undefined, 204);
    expect((await call<ErrorBody>(`${first.edge.url}/v1/models`, { key })).body.error.code).toBe('REVOKED_API_KEY');
  });

  it('service accounts are never above who makes or holds them', async () => {
    const aide = await withToken({ instanceRole: 'admin' });
    const here = { workspace_id: workspace };
    expect((await ask(aide.token, 'POST', 'service-accounts', { name: 'x', instance_role: 'admin' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(admin.token, 'POST', 'service-accounts', { name: 'x', ...here, workspace_role: 'owner' })).code).toBe(
      'PERMISSION_DENIED',
    );
    expect((await ask(admin.token, 'POST', 'service-accounts', { name: 'x', instance_role: 'auditor' })).code).toBe('PERMISSION_DENIED');
    const made = await ask(admin.token, 'POST', 'service-accounts', { name: 'x', ...here, workspace_role: 'admin' });
    expect(made.status).toBe(201);
    const { id } = made.body as unknown as Account;
    expect((await ask(admin.token, 'PATCH', `service-accounts/${id}`, { workspace_role: 'owner' })).code).toBe('PERMISSION_DENIED');
    expect((await ask(admin.token, 'PATCH', `service-accounts/${id}`, { instance_role: 'owner' })).code).toBe('VALIDATION_ERROR');
    const above = await newAccount({ ...here, workspace_role: 'owner' });
    const whole = await newAccount({ instance_role: 'owner' });
    for (const account of [above, whole]) {
      expect((await ask(admin.token, 'POST', `service-accounts/${account.id}/rotate-secret`)).code).toBe('PERMISSION_DENIED');
    }
    expect((await ask(aide.token, 'POST', `service-accounts/${whole.id}/rotate-secret`)).code).toBe('PERMISSION_DENIED');
  });
});

it('keys of login sessions are in no list and cannot be changed', async () => {
  const person = await signInAs(first, { roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
  const id = uuidv7();
  await sql(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, prefix, hash, scopes, is_personal) VALUES ($1, $2, $3, 'p', '', $4, '{chat}', true)`,
    [id, DEFAULT_WORKSPACE_ID, person.userId, Buffer.from(id)],
  );
  const listed = await operate<{ id: string }[]>(first, 'GET', 'keys?limit=200');
  expect(listed.map((key) => key.id)).not.toContain(id);
  for (const [method, body] of [
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    await operate(first, method, `keys/${id}`, body, 404);
  }
});

it('a new current key of PARLEY_SECRET_KEYS takes over what the edge keeps', async () => {
  await exchange(first, { operator_key: OPERATOR_KEY });
  const [old] = first.config.secretKeys;
  const secretKeys = [{ id: 'k9', key: Buffer.alloc(32, 9) }, ...(old ? [old] : [])];
  await using next = await startFixture({ databaseUrl: first.config.databaseUrl, secretKeys });
  const [box, person, token] = [new SecretBox(first.config.secretKeys), await signInAs(first), uuidv7()];
  const digest = Buffer.from(uuidv7());
  await sql('INSERT INTO totp_devices (user_id, secret) VALUES ($1, $2)', [person.userId, box.seal(person.userId, 'totp')]);
  await sql('UPDATE sessions SET id_token = $2 WHERE id = $1', [person.sessionId, box.seal(person.userId, 'id token')]);
  await sql(`INSERT INTO one_time_tokens (id, kind, digest, state, expires_at) VALUES ($1, 'passkey', $2, $3, now())`, [
    ...[token, digest],
    box.seal(digest.toString('base64'), 'challenge'),
  ]);
  await sql('UPDATE sessions SET id_token = $2 WHERE id = $1', [(await signInAs(first)).sessionId, box.seal('another session', 'x')]);
  const { rotated } = await operate<{ rotated: number }>(next, 'POST', 'connections/rotate-secrets');
  // Two are those of the connections; what cannot be decrypted stays as it is.
  expect(rotated).toBe(6);
  const fresh = new SecretBox(secretKeys.slice(0, 1));
  const [totp] = await sql<{ secret: Buffer }>('SELECT secret FROM totp_devices WHERE user_id = $1', [person.userId]);
  const [session] = await sql<{ id_token: Buffer }>('SELECT id_token FROM sessions WHERE id = $1', [person.sessionId]);
  const [challenge] = await sql<{ state: Buffer }>('SELECT state FROM one_time_tokens WHERE id = $1', [token]);
  expect(fresh.open(person.userId, totp?.secret ?? Buffer.of())).toBe('totp');
  expect(fresh.open(person.userId, session?.id_token ?? Buffer.of())).toBe('id token');
  expect(fresh.open(digest.toString('base64'), challenge?.state ?? Buffer.of())).toBe('challenge');
  const [key] = await sql<{ id: string; private_jwk: Buffer }>('SELECT id, private_jwk FROM signing_keys');
  expect(key?.private_jwk.subarray(1, 3).toString()).toBe('k9');
  await using alone = await startFixture({ databaseUrl: first.config.databaseUrl, secretKeys: secretKeys.slice(0, 1) });
  await exchange(alone, { operator_key: OPERATOR_KEY });
  expect(await sql('SELECT 1 FROM signing_keys')).toHaveLength(1);
});
