import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { INSTANCE_ROLES, type Rights, WORKSPACE_ROLES } from '../src/config/roles.ts';
import { hasPermission, PERMISSIONS } from '../src/identity/permissions.ts';
import { OPERATION_DETAILS } from '../src/openapi/details/index.ts';
import { ALL_ROUTES } from '../src/routes/index.ts';
import { type Route } from '../src/routes/route.ts';
import { call, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { type SignedIn, signInAs } from './people.ts';

const MANY = { points: 100_000, seconds: 60, text: '100000 per 1 minute' };
const WORKSPACE = DEFAULT_WORKSPACE_ID;
const ELSEWHERE = '01900000-0000-7000-8000-0000000000e1';

/** Rows whose workspace is that of a thing, which does not exist here: a role in a workspace is of no use. */
const OF_A_THING: readonly string[] = [
  ...['getKey', 'updateKey', 'revokeKey', 'exportConversation', 'importConversation', 'revokeInvitation'],
  ...['updateServiceAccount', 'rotateServiceAccountSecret', 'deleteServiceAccount'],
];
/** A request that does not exist is not found, for everybody who may read requests somewhere: its workspace is known by reading it. */
const BY_READING = 'getRequest';
/** Rows whose `{id}` is that of a workspace. */
const OF_A_WORKSPACE: readonly string[] = ['getWorkspace', 'updateWorkspace'];
/** Ends memberships, so it comes last. */
const LAST = 'leaveWorkspace';
const ROWS = ALL_ROUTES.filter((row): row is Route => 'handle' in row && row.permission !== undefined && !row.mirrors)
  .filter(({ operationId }) => operationId !== BY_READING)
  .toSorted((one, other) => Number(one.operationId === LAST) - Number(other.operationId === LAST));
const asks = (row: Route, part: 'params' | 'query' | 'body') => {
  const schema = row[part];
  return schema !== undefined && 'shape' in schema && 'workspace_id' in (schema.shape as object);
};
/** True where a request of the row names a workspace. */
const namesWorkspace = (row: Route) =>
  !OF_A_THING.includes(row.operationId) &&
  (OF_A_WORKSPACE.includes(row.operationId) || (['params', 'query', 'body'] as const).some((part) => asks(row, part)));

const withRights = (facts: Partial<Rights>): Rights => ({ instanceRole: null, memberships: [], ...facts });
const WHO: readonly [name: string, rights: Rights][] = [
  ...INSTANCE_ROLES.map((instanceRole): [string, Rights] => [`${instanceRole} of the gateway`, withRights({ instanceRole })]),
  ...WORKSPACE_ROLES.map((role): [string, Rights] => [role, withRights({ memberships: [{ workspaceId: WORKSPACE, role }] })]),
  ['owner elsewhere', withRights({ memberships: [{ workspaceId: ELSEWHERE, role: 'owner' }] })],
  ['stranger', withRights({})],
];

describe('every operation with a permission', () => {
  let fixture: TestFixture;
  const people = new Map<string, { person: SignedIn; token: string }>();
  beforeAll(async () => {
    fixture = await startFixture({ throttle: { rate_limit: MANY, upload_rate_limit: MANY, tts_rate_limit: MANY } });
    const owner = await enter({ instanceRole: 'owner', memberships: [] });
    await call(`${fixture.edge.url}/admin/v1/workspaces`, { method: 'POST', key: owner.token, body: { name: 'elsewhere' } });
    const { body } = await call<{ id: string }[]>(`${fixture.edge.url}/admin/v1/workspaces`, { key: owner.token });
    const elsewhere = body.find(({ id }) => id !== WORKSPACE)?.id ?? '';
    for (const [name, rights] of WHO) people.set(name, await enter(rights, elsewhere));
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  /** Signs a user in, with a token of the control plane. */
  async function enter({ instanceRole, memberships }: Rights, elsewhere = '') {
    const roles = Object.fromEntries(memberships.map(({ workspaceId, role }) => [workspaceId === WORKSPACE ? WORKSPACE : elsewhere, role]));
    const person = await signInAs(fixture, { ...(instanceRole && { instanceRole }), roles });
    const { body } = await person.call<{ access_token: string }>('POST', '/me/v1/admin-token');
    return { person, token: body.access_token };
  }

  /** Asks as the example of the row does, about the workspace. */
  async function ask(row: Route, who: string): Promise<{ status: number; body: ErrorBody | undefined }> {
    const { person, token } = people.get(who) ?? (await enter(withRights({})));
    const isOfWorkspace = OF_A_WORKSPACE.includes(row.operationId);
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'workspace_id' || (isOfWorkspace && name === 'id')) return WORKSPACE;
      return name === 'id' || name.endsWith('_id') ? uuidv7() : 'some';
    });
    // The example of one row disables the workspace, which would end every role in it.
    const example = isOfWorkspace
      ? { name: 'The same' }
      : (OPERATION_DETAILS[row.operationId]?.request as Record<string, unknown> | undefined);
    const body = row.body && { ...example, ...(asks(row, 'body') && { workspace_id: WORKSPACE }) };
    const ofKey = row.operationId === 'exportConversation' ? `?key_id=${uuidv7()}` : '';
    const query = asks(row, 'query') ? `?workspace_id=${WORKSPACE}` : ofKey;
    const method = row.method.toUpperCase();
    if (row.access === 'session') return person.call<ErrorBody>(method, path + query, body);
    const response = await fetch(fixture.edge.url + path + query, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: response.status >= 400 ? (JSON.parse(text) as ErrorBody) : undefined };
  }

  it('is on the control plane or on the surface of people, and every permission is asked for', () => {
    expect(new Set(ROWS.map(({ access }) => access))).toEqual(new Set(['admin', 'session']));
    const asked = new Set(ALL_ROUTES.map(({ permission }) => permission));
    const byHandlers = ['owners.write', 'instance_roles.write', 'workspaces.bound'];
    expect(Object.keys(PERMISSIONS).filter((name) => !asked.has(name as keyof typeof PERMISSIONS) && !byHandlers.includes(name))).toEqual(
      [],
    );
  });

  it.each(ROWS.map((row) => [row.operationId, row] as const))('%s lets in exactly who the table names', async (_id, row) => {
    const { permission } = row;
    if (!permission) throw new Error('a row without a permission');
    const [expected, found]: [Record<string, boolean>, Record<string, boolean>] = [{}, {}];
    for (const [who, rights] of WHO) {
      expected[who] = hasPermission(rights, permission, namesWorkspace(row) ? WORKSPACE : undefined);
      const { status, body } = await ask(row, who);
      const isRefused = status === 403 && body?.error.code === 'PERMISSION_DENIED' && body.error.param === permission;
      found[who] = !isRefused && status !== 401;
    }
    expect(found).toEqual(expected);
  });
});
