import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_USER_ID, DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import pg from 'pg';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { operate, operatorToken } from './operator.ts';
import { signInAs } from './people.ts';

interface Row {
  id: string;
  name: string;
}

let fixture: TestFixture;
let sql: pg.Pool;
beforeAll(async () => {
  fixture = await startFixture();
  sql = new pg.Pool({ connectionString: fixture.config.databaseUrl, options: '-c search_path=edge', max: 2 });
});
afterAll(async () => {
  await sql.end();
  await fixture[Symbol.asyncDispose]();
});

/** A page of a list, with what its headers say. */
async function read<T = Row>(path: string, key?: string) {
  const answer = await call<T[]>(`${fixture.edge.url}${path}`, { key: key ?? (await operatorToken(fixture)) });
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  return { status: answer.status, rows: answer.body, next, total: answer.headers.get('x-total-count') };
}

/** Every row of a list, page by page; `between` runs after each of them. */
async function readAll<T = Row>(path: string, between?: () => Promise<unknown>): Promise<T[]> {
  const rows: T[] = [];
  for (let at: string | undefined = path; at !== undefined;) {
    const page: Awaited<ReturnType<typeof read<T>>> = await read<T>(at);
    expect([page.status, page.total]).toEqual([200, null]);
    rows.push(...page.rows);
    at = page.next;
    await between?.();
  }
  return rows;
}

const refusal = async (path: string) => {
  const { status, body } = await call<ErrorBody>(`${fixture.edge.url}${path}`, { key: await operatorToken(fixture) });
  return [status, body.error.code, body.error.param];
};

const newWorkspace = async (name = 'lists') => (await operate<Row>(fixture, 'POST', 'workspaces', { name }, 201)).id;

/** Keys of a workspace, many of which are made in the same millisecond; ids in the order of the list, which is not that of their names. */
async function makeKeys(workspaceId: string, names: readonly string[], set = ''): Promise<string[]> {
  const ids = names.map(() => uuidv7());
  await sql.query(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, prefix, hash, scopes, created_at)
     SELECT k.id, $3, $4, k.name, 'gmk_live_' || lpad((k.place % 100)::text, 4, '0'), sha256(k.id::text::bytea), '{chat}',
            '2026-01-01'::timestamptz - (k.place / 10) * interval '1 minute'
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS k (id, name, place)`,
    [ids, names, workspaceId, DEFAULT_USER_ID],
  );
  if (set !== '') await sql.query(`UPDATE api_keys SET ${set} WHERE id = ANY($1)`, [ids]);
  return ids;
}

const many = (count: number, name = 'key') => Array.from({ length: count }, (_, place) => `${name} ${(place * 7919) % count}`);
const keysIn = (workspaceId: string, rest = '') => `/admin/v1/keys?workspace_id=${workspaceId}${rest}`;
const named = async (path: string) => (await readAll(path)).map(({ name }) => name);

describe('pages by cursor', () => {
  it.each(['created_at', '-created_at', 'name', '-name', 'last_used_at', '-last_used_at'])(
    'give every key exactly once by %s, whatever is made meanwhile',
    async (sort) => {
      const workspaceId = await newWorkspace();
      const ids = await makeKeys(workspaceId, many(95, 'same'));
      await sql.query(`UPDATE api_keys SET last_used_at = created_at WHERE id = ANY($1)`, [ids.slice(0, 50)]);
      const read = await readAll(keysIn(workspaceId, `&limit=10&cursor=&sort=${sort}`), () => makeKeys(workspaceId, ['aaa', 'zzz']));
      const seen = read.map(({ id }) => id).filter((id) => ids.includes(id));
      expect(seen).toHaveLength(95);
      expect(new Set(seen)).toEqual(new Set(ids));
      expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
    },
  );

  it('sort by what is asked for, and by offset alike', async () => {
    const workspaceId = await newWorkspace();
    await makeKeys(workspaceId, ['beta', 'Alpha', 'Émile', 'gamma']);
    const byName = ['Alpha', 'beta', 'gamma', 'Émile'];
    expect(await named(keysIn(workspaceId, '&cursor=&sort=name&limit=1'))).toEqual(byName);
    expect(await named(keysIn(workspaceId, '&cursor=&sort=-name&limit=3'))).toEqual(byName.toReversed());
    const { rows, total, next } = await read(keysIn(workspaceId, '&sort=name&limit=2&offset=1'));
    expect([rows.map(({ name }) => name), total]).toEqual([['beta', 'gamma'], '4']);
    expect((await read(next ?? '')).rows.map(({ name }) => name)).toEqual(['Émile']);
  });

  it('end with the last row, without an empty page', async () => {
    const workspaceId = await newWorkspace();
    await makeKeys(workspaceId, many(4));
    const first = await read(keysIn(workspaceId, '&cursor=&limit=2'));
    const second = await read(first.next ?? '');
    expect([first.rows.length, second.rows.length, second.next]).toEqual([2, 2, undefined]);
  });

  it('keep their filters', async () => {
    const workspaceId = await newWorkspace();
    await makeKeys(workspaceId, [...many(5, 'left'), ...many(5, 'right')]);
    expect(await named(keysIn(workspaceId, '&cursor=&limit=2&search=left'))).toHaveLength(5);
  });

  it.each([
    ['users', '?cursor=&limit=1'],
    ['workspaces', '?cursor=&limit=1'],
    ['service-accounts', '?cursor=&limit=1'],
    ['invitations', '?cursor=&limit=1'],
    [`workspaces/${DEFAULT_WORKSPACE_ID}/members`, '?cursor=&limit=1'],
    ['connections', '?cursor=&limit=1'],
  ])('give all of %s', async (path, query) => {
    for (const name of ['one', 'two', 'three']) {
      const [email, at] = [`${name}-${uuidv7()}@example.com`, DEFAULT_WORKSPACE_ID];
      if (path === 'users' || path.endsWith('members')) await operate(fixture, 'POST', 'users', { display_name: name, email }, 201);
      if (path === 'workspaces') await newWorkspace(name);
      if (path === 'service-accounts') await operate(fixture, 'POST', path, { name, workspace_id: at, workspace_role: 'viewer' }, 201);
      if (path === 'invitations') await operate(fixture, 'POST', path, { email, workspace_id: at, workspace_role: 'viewer' }, 201);
    }
    const whole = await operate<Record<string, string>[]>(fixture, 'GET', `${path}?limit=200`);
    expect(await readAll(`/admin/v1/${path}${query}`)).toEqual(whole);
    expect(whole.length).toBeGreaterThanOrEqual(path === 'connections' ? 1 : 3);
  });
});

describe('a cursor that is none', () => {
  it.each(['abc', 'WyJuYW1lIl0', encodeURIComponent('\u{1f600}')])('is refused: %s', async (cursor) => {
    expect(await refusal(`/admin/v1/keys?cursor=${cursor}`)).toEqual([422, 'VALIDATION_ERROR', 'cursor']);
    expect(await refusal(`/admin/v1/users?cursor=${cursor}`)).toEqual([422, 'VALIDATION_ERROR', 'cursor']);
  });

  it('is one of another order, or has an offset beside it', async () => {
    const workspaceId = await newWorkspace();
    await makeKeys(workspaceId, many(3));
    const { next = '' } = await read(keysIn(workspaceId, '&cursor=&limit=1'));
    expect(await refusal(`${next}&sort=name`)).toEqual([422, 'VALIDATION_ERROR', 'cursor']);
    expect(await refusal(`${next}&offset=1`)).toEqual([422, 'VALIDATION_ERROR', 'offset']);
  });

  it('does not lead out of the workspace that is asked for', async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()];
    await makeKeys(one, many(3, 'one'));
    await makeKeys(other, many(3, 'other'));
    const { next = '' } = await read(keysIn(one, '&cursor=&limit=1'));
    const foreign = next.replace(one, other);
    expect((await read(foreign)).rows.every(({ name }) => name.startsWith('other'))).toBe(true);
  });
});

describe('a search', () => {
  it('finds keys by a part of the name in any case and language, and nothing by a wildcard', async () => {
    const workspaceId = await newWorkspace();
    await makeKeys(workspaceId, ['Nightly Build', '100%_sure', 'plain \\ text', 'STRASSE', '服务器 密钥', 'Zebra']);
    const found = (search: string) => named(keysIn(workspaceId, `&cursor=&search=${encodeURIComponent(search)}`));
    expect(await found('ly bui')).toEqual(['Nightly Build']);
    expect(await found('100%')).toEqual(['100%_sure']);
    expect(await found('1_0')).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect(await found('_')).toEqual([]);
    expect(await found('n \\ t')).toEqual(['plain \\ text']);
    expect(await found('straße')).toEqual(['STRASSE']);
    expect(await found('密钥')).toEqual(['服务器 密钥']);
    expect(await found('ze')).toEqual(['Zebra']);
    expect(await found('z')).toEqual(['Zebra']);
  });

  it('finds a key by its beginning or its id', async () => {
    const workspaceId = await newWorkspace();
    const [, second = ''] = await makeKeys(workspaceId, ['first', 'second']);
    expect(await named(keysIn(workspaceId, '&cursor=&search=gmk_live_0002'))).toEqual(['second']);
    expect(await named(keysIn(workspaceId, '&cursor=&search=gmk%25'))).toEqual([]);
    expect(await named(keysIn(workspaceId, `&cursor=&search=${second}`))).toEqual(['second']);
  });

  it('finds users by name and email, and by status and role', async () => {
    const tag = uuidv7().slice(-12);
    const make = (display_name: string, email?: string) => operate<Row>(fixture, 'POST', 'users', { display_name, email }, 201);
    const ada = await make(`Ada ${tag}`, `countess-${tag}@example.com`);
    const bob = await make(`Bob ${tag}`);
    await operate(fixture, 'PATCH', `users/${bob.id}`, { status: 'disabled' });
    await operate(fixture, 'PATCH', `users/${ada.id}`, { instance_role: 'auditor' });
    const found = async (query: string) => (await readAll(`/admin/v1/users?cursor=&${query}`)).map(({ id }) => id);
    expect(await found(`search=${tag}`)).toEqual([ada.id, bob.id]);
    expect(await found(`search=COUNTESS-${tag}`)).toEqual([ada.id]);
    expect(await found(`search=${tag}&status=disabled`)).toEqual([bob.id]);
    expect(await found(`search=${tag}&instance_role=auditor`)).toEqual([ada.id]);
    expect((await readAll(`/admin/v1/workspaces/${DEFAULT_WORKSPACE_ID}/members?cursor=&search=bob ${tag}`)).length).toBe(1);
  });

  it('finds workspaces by name', async () => {
    const id = await newWorkspace('Über 50%');
    expect((await readAll('/admin/v1/workspaces?cursor=&search=%C3%BCber 50%25')).map((one) => one.id)).toEqual([id]);
    expect(await readAll('/admin/v1/workspaces?cursor=&search=%C3%BCber _0')).toEqual([]);
  });
});

describe('filters of keys', () => {
  it('select by status and user', async () => {
    const workspaceId = await newWorkspace();
    await makeKeys(workspaceId, ['active']);
    await makeKeys(workspaceId, ['expired'], `expires_at = now() - interval '1 hour'`);
    await makeKeys(workspaceId, ['revoked'], `revoked_at = now(), expires_at = now() - interval '1 hour'`);
    await makeKeys(workspaceId, ['ends later'], `expires_at = now() + interval '1 hour'`);
    const ofStatus = async (status: string) => (await named(keysIn(workspaceId, `&cursor=&status=${status}`))).toSorted();
    expect(await ofStatus('active')).toEqual(['active', 'ends later']);
    expect(await ofStatus('expired')).toEqual(['expired']);
    expect(await ofStatus('revoked')).toEqual(['revoked']);
    expect(await named(keysIn(workspaceId, `&cursor=&user_id=${DEFAULT_USER_ID}`))).toHaveLength(4);
    expect(await named(keysIn(workspaceId, `&cursor=&user_id=${uuidv7()}`))).toEqual([]);
  });
});

describe('one of a list', () => {
  it('is read by its id', async () => {
    const workspaceId = await newWorkspace('one');
    const [key = ''] = await makeKeys(workspaceId, ['only']);
    expect(await operate(fixture, 'GET', `keys/${key}`)).toMatchObject({ id: key, name: 'only', workspace_id: workspaceId });
    expect(await operate(fixture, 'GET', `workspaces/${workspaceId}`)).toMatchObject({ id: workspaceId, name: 'one' });
    expect(await operate(fixture, 'GET', `users/${DEFAULT_USER_ID}`)).toMatchObject({ id: DEFAULT_USER_ID });
    for (const path of ['keys', 'workspaces', 'users', 'connections']) {
      await operate(fixture, 'GET', `${path}/${uuidv7()}`, undefined, 404);
    }
  });

  it('is invalid for a user of another workspace', async () => {
    const [own, other] = [await newWorkspace(), await newWorkspace()];
    const [mine = ''] = await makeKeys(own, ['mine']);
    const [theirs = ''] = await makeKeys(other, ['theirs']);
    const person = await signInAs(fixture, { roles: { [own]: 'admin' } });
    const { access_token: token } = (await person.call<{ access_token: string }>('POST', '/me/v1/admin-token')).body;
    const statusOf = async (path: string) => (await read(path, token)).status;
    expect(await statusOf(`/admin/v1/keys/${mine}`)).toBe(200);
    expect(await statusOf(`/admin/v1/keys/${theirs}`)).toBe(403);
    expect(await statusOf(`/admin/v1/workspaces/${other}`)).toBe(403);
    expect(await statusOf(keysIn(other, '&cursor='))).toBe(403);
    expect(await statusOf('/admin/v1/keys?cursor=')).toBe(403);
  });

  it('never shows the hidden key of a person', async () => {
    const [personal = ''] = await makeKeys(await newWorkspace(), ['hidden'], 'is_personal = true');
    await operate(fixture, 'GET', `keys/${personal}`, undefined, 404);
    expect(await readAll(`/admin/v1/keys?cursor=&search=${personal}`)).toEqual([]);
  });
});
