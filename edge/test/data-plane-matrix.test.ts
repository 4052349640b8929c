import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { type WorkspaceRole } from '../src/config/roles.ts';
import { PERMISSIONS } from '../src/identity/permissions.ts';
import { type RouteSpec } from '../src/openapi/route-spec.ts';
import { ALL_ROUTES } from '../src/routes/index.ts';
import { type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { type SignedIn, signInAs } from './people.ts';

const MANY = { points: 100_000, seconds: 60, text: '100000 per 1 minute' };
/** Codes of admission: any other answer is that of an operation that was let in. */
const REFUSALS = new Set(['SIGN_IN_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'CSRF_REJECTED', 'PERMISSION_DENIED', 'workspace_disabled']);
const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly WorkspaceRole[];
const MOUNTED = ALL_ROUTES.filter(({ mirrors: mounts }) => mounts);

/** A path of the row with something in place of each parameter. */
function pathOf({ path }: RouteSpec): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('_id') ? uuidv7() : 'some'));
}

describe('every operation of /v1 for people', () => {
  let fixture: TestFixture;
  const people = new Map<string, SignedIn>();
  beforeAll(async () => {
    fixture = await startFixture({ throttle: { rate_limit: MANY, upload_rate_limit: MANY, tts_rate_limit: MANY } });
    for (const role of ROLES) people.set(role, await signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: role } }));
    people.set('stranger', await signInAs(fixture));
    people.set('owner of the gateway', await signInAs(fixture, { instanceRole: 'owner' }));
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  /** The error code of admission; undefined for an admitted caller. */
  async function refusalOf(row: RouteSpec, headers: Record<string, string>): Promise<string | undefined> {
    const url = `${fixture.edge.url}${pathOf(row)}?workspace_id=${DEFAULT_WORKSPACE_ID}`;
    const response = await fetch(url, { method: row.method.toUpperCase(), headers });
    const text = await response.text();
    const code = response.status < 400 ? undefined : (JSON.parse(text) as ErrorBody).error.code;
    return code !== undefined && REFUSALS.has(code) ? code : undefined;
  }

  const headersOf = ({ cookie, csrf }: SignedIn) => ({ cookie, origin: fixture.edge.url, 'x-csrf-token': csrf });

  it('is mounted once, under the same path', () => {
    const ofKeys = ALL_ROUTES.filter(({ access }) => access === 'key');
    expect(MOUNTED.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      ofKeys.map(({ method, path }) => `${method} /me${path}`).sort(),
    );
    const all = ALL_ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(MOUNTED.map((row) => [row.operationId, row] as const))('%s lets in exactly who the table names', async (_id, row) => {
    const expected: Record<string, string | undefined> = {};
    const found: Record<string, string | undefined> = {};
    const allowed: readonly string[] = PERMISSIONS[row.method === 'get' ? 'data.read' : 'data.write'].workspace;
    for (const [who, person] of people) {
      expected[who] = allowed.includes(who) ? undefined : 'PERMISSION_DENIED';
      found[who] = await refusalOf(row, headersOf(person));
    }
    expected['signed out'] = 'SIGN_IN_REQUIRED';
    found['signed out'] = await refusalOf(row, { origin: fixture.edge.url });
    const { cookie } = people.get('owner') ?? { cookie: '' };
    expected['another site'] = row.method === 'get' ? undefined : 'CSRF_REJECTED';
    found['another site'] = await refusalOf(row, { cookie, origin: 'https://evil.example.com' });
    expect(found).toEqual(expected);
  });
});
