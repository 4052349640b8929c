import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_WORKSPACE_ID as WORKSPACE } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { connection } from './fake-routing.ts';
import { type Answer, type ErrorBody, startFixture, type TestFixture } from './harness.ts';
import { createKey } from './operator.ts';
import { type SignedIn, signInAs } from './people.ts';
import { operate, sql } from './visitors.ts';

interface Entry {
  action: string;
  target_id: string;
  details: { outcome?: string; code?: string } & Record<string, unknown>;
}

const CONNECTION = uuidv7();
const PROJECT = uuidv7();
const FLOW = uuidv7();
const PROFILE = `/admin/v1/route-profiles/fast?workspace_id=${WORKSPACE}`;
const FLOW_PATH = `/me/v1/connections/flows/${FLOW}?workspace_id=${WORKSPACE}`;
const DOCUMENT = { document: { arazzo: '1.0.1' } };

/** Every change that another service makes: its request, its action, and what its first entry names. */
const CHANGES: readonly [method: string, path: string, body: unknown, action: string, target: string][] = [
  ['POST', '/admin/v1/connections', { provider: 'sandbox', label: 'new', account: 'a', api_key: 'k' }, 'connection.create', 'new'],
  ['PATCH', `/admin/v1/connections/${CONNECTION}`, { label: 'other' }, 'connection.update', CONNECTION],
  ['POST', `/admin/v1/connections/${CONNECTION}/test`, undefined, 'connection.test', CONNECTION],
  ['DELETE', `/admin/v1/connections/${CONNECTION}`, undefined, 'connection.delete', CONNECTION],
  ['POST', '/admin/v1/connections/rotate-secrets', undefined, 'connection.rotate-secrets', 'new'],
  ['PUT', PROFILE, { account_labels: ['sandbox'] }, 'route-profile.put', 'fast'],
  ['DELETE', PROFILE, undefined, 'route-profile.delete', 'fast'],
  ['POST', '/admin/v1/projects', { upstream_account_id: CONNECTION, upstream_reference: 'sp_1' }, 'project.register', 'new'],
  ['PATCH', `/admin/v1/projects/${PROJECT}?workspace_id=${WORKSPACE}`, { bound: true }, 'project.bind', PROJECT],
  ['POST', '/admin/v1/actions', DOCUMENT, 'action.publish', 'new'],
  ['PATCH', '/admin/v1/actions/summarise', { enabled: false }, 'action.update', 'summarise'],
  ['PUT', `/admin/v1/action-cohort/${WORKSPACE}`, undefined, 'action-cohort.add', WORKSPACE],
  ['DELETE', `/admin/v1/action-cohort/${WORKSPACE}`, undefined, 'action-cohort.remove', WORKSPACE],
  ['POST', '/admin/v1/conversations/import', { messages: [{ role: 'user', content: 'one' }] }, 'conversation.import', 'new'],
  ['POST', FLOW_PATH, { step: 1, answers: { code: 'x' } }, 'connect-flow.answer', FLOW],
];

describe('a change that another service makes', () => {
  let fixture: TestFixture;
  let person: SignedIn;
  let keyId: string;
  beforeAll(async () => {
    fixture = await startFixture();
    person = await signInAs(fixture, { roles: { [WORKSPACE]: 'admin' } });
    keyId = (await createKey(fixture)).id;
    fixture.services.routing.projects.keep({ id: PROJECT }, WORKSPACE);
  });
  afterEach(() => {
    for (const service of services()) Object.assign(service, { failure: undefined, before: () => undefined });
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const services = () => [fixture.services.routing, fixture.services.actions];
  const inServices = (change: { failure?: GatewayError; before?: () => Promise<void> }) => {
    for (const service of services()) Object.assign(service, change);
  };
  const send = (method: string, path: string, body?: unknown): Promise<Answer> => {
    if (path.startsWith('/me')) return person.call(method, path, body);
    fixture.services.routing.connections = [connection({ id: CONNECTION })];
    return operate(fixture, method, path, path.endsWith('import') ? { ...Object(body), key_id: keyId } : body);
  };
  const last = async () => (await sql<{ seq: string }>(fixture, 'SELECT coalesce(max(seq), 0) AS seq FROM edge.audit_log'))[0]?.seq;
  const entriesAfter = async (seq: string | undefined) =>
    sql<Entry>(fixture, 'SELECT action, target_id, details FROM edge.audit_log WHERE seq > $1 ORDER BY seq', [seq]);

  it.each(CHANGES)('is in the log before the service hears of it: %s %s', async (method, path, body, action, target) => {
    // A route profile that is deleted exists.
    if (action === 'route-profile.delete') await send('PUT', PROFILE, {});
    const before = await last();
    let begun: Entry[] = [];
    inServices({ before: async () => void (begun = await entriesAfter(before)) });
    const { status } = await send(method, path, body);
    expect(status).toBeLessThan(300);
    expect(begun).toMatchObject([{ action, target_id: target, details: { outcome: 'begun' } }]);
    const [, done, ...more] = await entriesAfter(before);
    expect([done?.action, done?.details.outcome, more]).toEqual([action, 'done', []]);
    expect(done?.target_id).not.toBe('new');
  });

  it.each(CHANGES)('is not made without its first entry: %s %s', async (method, path, body) => {
    let calls = 0;
    inServices({ before: async () => void (calls += 1) });
    await withoutEntries('true', async () => {
      expect((await send(method, path, body)).status).toBeGreaterThanOrEqual(500);
    });
    expect(calls).toBe(0);
  });

  it.each([
    ['refused', new GatewayError('CONNECTION_NOT_FOUND', 'no such connection')],
    ['unknown', new GatewayError('TIMEOUT', 'took too long')],
    ['unknown', new GatewayError('CANCELLED', 'was cancelled')],
  ])('is %s when the service fails', async (outcome, failure) => {
    const before = await last();
    inServices({ failure });
    const { body } = (await send('PATCH', `/admin/v1/connections/${CONNECTION}`, { label: 'other' })) as Answer<ErrorBody>;
    expect(body.error.code).toBe(failure.code);
    const [, concluded] = await entriesAfter(before);
    expect(concluded).toMatchObject({ action: 'connection.update', details: { outcome, code: failure.code, changed: ['label'] } });
  });

  it('is answered as it ended when the second entry cannot be written, and the first one stays', async () => {
    const before = await last();
    await withoutEntries(`NEW.details ->> 'outcome' = 'done'`, async () => {
      expect((await send('PATCH', `/admin/v1/connections/${CONNECTION}`, { label: 'other' })).status).toBe(200);
    });
    expect(await entriesAfter(before)).toMatchObject([{ action: 'connection.update', details: { outcome: 'begun' } }]);
    expect(fixture.lines).toContainEqual(expect.objectContaining({ level: 'error', action: 'connection.update' }));
  });

  it('is recorded as a connection when an answer is the last one of its flow', async () => {
    const before = await last();
    expect((await send('POST', FLOW_PATH, { step: 1, answers: { last: '1' } })).status).toBe(200);
    expect(await entriesAfter(before)).toMatchObject([
      { action: 'connect-flow.answer', target_id: FLOW, details: { outcome: 'begun', step: 1 } },
      { action: 'connection.create', details: { outcome: 'done', flow: FLOW, provider: 'sandbox', label: 'mine' } },
    ]);
  });

  /** The database refuses entries that fulfil the condition. */
  async function withoutEntries(condition: string, act: () => Promise<void>): Promise<void> {
    await sql(
      fixture,
      `CREATE FUNCTION edge.refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no entries'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON edge.audit_log FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION edge.refuse_entry()`,
    );
    try {
      await act();
    } finally {
      await sql(fixture, 'DROP TRIGGER refuse ON edge.audit_log; DROP FUNCTION edge.refuse_entry()');
    }
  }
});
